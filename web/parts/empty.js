// Where there is nothing yet: what would be here, and how it comes.

import { html } from '../lib/html.js';
import { icon } from '../lib/icon.js';

export const empty = (sign, title, text, action) => html`<div class="empty">${icon(sign)}<h2>${title}</h2><p>${text}</p>${action}</div>`;
