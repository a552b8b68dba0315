// What the server noted of something destroyed, a sentence for each kind.

import { html, word } from '../lib/page.js';

const saying = ([{ code, what, count }, ...more]) => word('note', code, { what, n: count ?? more.length + 1 });

export const notes = (all) => html`<ul>${[...Map.groupBy(all, ({ code, what }) => word('note', code, { what })).values()].map((some) => html`<li class="break">${saying(some)}</li>`)}</ul>`;
