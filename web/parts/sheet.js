// A dialog at the side of the window, or at its foot on a phone.

import { button, html } from '../lib/page.js';

/** `look` is a side, or `drawer` for one as tall as the window; `closed()` is called when it is gone. */
export function openSheet(title, content, look = 'sheet', closed) {
  const close = () => dialog.close();
  const dialog = html`
    <dialog class=${look} aria-labelledby="sheet-title" @close=${() => (dialog.remove(), closed?.())} @click=${({ target }) => (target === dialog || target.closest('a')) && close()}>
      <div class="stack"><div class="spread"><h2 id="sheet-title" tabindex="-1">${title}</h2>${button('common.close', close, 'bare small', 'close')}</div>${content}</div>
    </dialog>`;
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('#sheet-title').focus();
  return close;
}
