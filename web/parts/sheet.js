// A dialog at the side of the window, or at its foot on a phone.

import { button, html } from '../lib/page.js';

export function openSheet(title, content, side = 'end') {
  const close = () => dialog.close();
  const dialog = html`
    <dialog class=${['sheet', side]} aria-labelledby="sheet-title" @close=${() => dialog.remove()} @click=${({ target }) => (target === dialog || target.closest('a')) && close()}>
      <div class="stack"><div class="spread"><h2 id="sheet-title" tabindex="-1">${title}</h2>${button('common.close', close, 'bare small', 'close')}</div>${content}</div>
    </dialog>`;
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('#sheet-title').focus();
  return close;
}
