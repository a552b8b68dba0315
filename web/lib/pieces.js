// Small pieces that nearly every screen has.

import { html } from './html.js';
import { icon } from './icon.js';
import { t } from './text.js';

/** A button that says `text` and does `act`; `look` is its class, `sign` an icon before the word. */
export const button = (text, act, look, sign) => html`<button class=${look || null} @click=${act}>${sign && icon(sign)}${t(text)}</button>`;

/** A line beside the matter itself. */
export const hint = (text, more) => html`<p class=${['quiet', more]}>${t(text)}</p>`;
