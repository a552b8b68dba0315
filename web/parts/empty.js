// Where there is nothing yet: what would be here, and how it comes.

import { html, t } from '../lib/page.js';
import { icon } from './icon.js';

export const empty = (sign, title, text, action) => html`<div class="empty">${icon(sign)}<h2>${title}</h2><p>${text}</p>${action}</div>`;

export const closed = (screen, why) => html`<header><h1>${t(`nav.${screen}`)}</h1></header>${empty(screen, t(`${screen}.closed`), why)}`;
