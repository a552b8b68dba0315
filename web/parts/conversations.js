// The conversations one had, to go on with or to delete.

import { get, path } from '../lib/api.js';
import { html } from '../lib/html.js';
import { t } from '../lib/text.js';
import { distance } from '../lib/time.js';
import { icon } from './icon.js';

/** Resolves to { open: id }, { remove: id } or null. */
export async function conversations(persona, subject) {
  const { data } = await get(path`/v1/personas/${persona}/sessions`, { subject, limit: 50 });
  return new Promise((answered) => {
    const finish = (answer) => {
      dialog.close();
      dialog.remove();
      answered(answer);
    };
    const dialog = html`
      <dialog aria-labelledby="conversations-title"><div class="stack">
        <div class="spread"><h2 id="conversations-title">${t('chat.conversations')}</h2><button type="button" class="bare small" @click=${() => finish(null)}>${icon('close')}${t('common.close')}</button></div>
        ${data.length ? html`<ul class="lines">${data.map((session) => html`<li><button type="button" class="bare grow left" @click=${() => finish({ open: session.id })}><span class="break">${session.title ?? session.id}</span></button><span class="small quiet">${distance(session.lastAt)}</span><button type="button" class="bare small" aria-label=${t('chat.deleteOne', { title: session.title ?? session.id })} @click=${() => finish({ remove: session.id })}>${icon('close')}</button></li>`)}</ul>` : html`<p class="quiet">${t('chat.noConversations')}</p>`}
      </div></dialog>`;
    dialog.addEventListener('cancel', () => finish(null));
    document.body.append(dialog);
    dialog.showModal();
  });
}
