// What stands there until a screen has what it shows.

import { html, t } from '../lib/page.js';

export const waiting = (title) => html`<header><h1>${title}</h1></header><p class="wait">${t('common.loading')}</p>`;
