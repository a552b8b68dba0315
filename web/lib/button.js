// A button that says `text` and does `act`; `look` is its class, `sign` an icon before the word.

import { html } from './html.js';
import { icon } from './icon.js';
import { t } from './text.js';

export const button = (text, act, look, sign) => html`<button class=${look || null} @click=${act}>${sign && icon(sign)}${t(text)}</button>`;
