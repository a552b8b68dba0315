// A question that has to be answered before anything happens.

import { html } from '../lib/html.js';
import { t } from '../lib/text.js';

/** Shows `body` and resolves to the form's data when confirmed, else to null. */
export function askFirst({ title, body, confirm, danger = false, ready }) {
  return new Promise((answered) => {
    const dialog = html`
      <dialog aria-labelledby="dialog-title">
        <form method="dialog" class="stack" @submit=${(event) => (event.preventDefault(), finish(new FormData(event.target)))}>
          <h2 id="dialog-title">${title}</h2>
          <div class="stack">${body}</div>
          <div class="row end">
            <button type="button" class="bare" @click=${() => finish(null)}>${t('common.cancel')}</button>
            <button type="submit" class=${['main', danger && 'danger']}>${confirm}</button>
          </div>
        </form>
      </dialog>`;
    const finish = (answer) => {
      dialog.close();
      dialog.remove();
      answered(answer);
    };
    dialog.addEventListener('cancel', () => finish(null));
    document.body.append(dialog);
    dialog.showModal();
    ready?.(dialog);
  });
}
