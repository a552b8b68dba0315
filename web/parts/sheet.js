// Something beside the screen, for windows too narrow to show it all the time: from below on a phone, else from a side.

import { html } from '../lib/html.js';
import { t } from '../lib/text.js';
import { icon } from './icon.js';

/** Shows `content` under `title` until it is closed; gives the function that closes it. */
export function openSheet(title, content, side = 'end') {
  const close = () => dialog.close();
  const dialog = html`
    <dialog class=${['sheet', side]} aria-labelledby="sheet-title" @close=${() => dialog.remove()} @click=${(event) => event.target === event.currentTarget && close()}>
      <div class="stack"><div class="spread"><h2 id="sheet-title" tabindex="-1">${title}</h2><button type="button" class="bare small" @click=${close}>${icon('close')}${t('common.close')}</button></div>${content}</div>
    </dialog>`;
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('#sheet-title').focus();
  return close;
}
