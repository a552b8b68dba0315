// A question that has to be answered before anything happens.

import { html } from '../lib/html.js';
import { button, told } from '../lib/pieces.js';
import { t } from '../lib/text.js';
import { tellIn } from './toasts.js';

/**
 * Resolves to the form's data when confirmed, else to null. `title` (filled in with `named`), `about` and `confirm` are keys of
 * texts. With `act`, confirming does it first: a refusal is shown inside, and everything that was filled in stays.
 */
export function askFirst({ title, named, about, body, confirm, danger, act }) {
  return new Promise((answered) => {
    const submit = async (event) => {
      const data = new FormData(event.target);
      const button = dialog.querySelector('button[type="submit"]');
      try {
        button.disabled = true;
        data.answer = await act?.(data);
        finish(data);
      } catch (refused) {
        button.disabled = false;
        tellIn(dialog.querySelector('.told'), refused.message);
      }
    };
    const dialog = html`
      <dialog aria-labelledby="dialog-title">
        <form method="dialog" class="stack" @submit=${submit}>
          <h2 id="dialog-title">${t(title, named)}</h2>
          <div class="stack">${about && html`<p>${t(about)}</p>`}${body}</div>
          ${told()}
          <div class="row end">
            ${button('common.cancel', () => finish(null), 'bare')}
            <button type="submit" class=${['main', danger && 'danger']}>${t(confirm)}</button>
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
  });
}
