// One message: the reader's own as a note, the persona's beside its face.

import { button, clock, face, hint, html, icon, note, signButton, submit, t } from '../lib/page.js';
import { copy } from './copy.js';
import { formedChips } from './formed.js';
import { fillWhenSeen } from './markdown.js';

/** `of`: { persona, person, name, words, subject, changed(), memories(id), why(id), edit(turn), again(turn), canEdit }. */
export const turn = (said, of) => (said.speaker === 'subject' ? mine(said, of) : theirs(said, of));

function mine(said, of) {
  const node = html`
    <li class=${['turn', 'mine', said.isPrivate && 'off']}>
      <span class="unseen">${t('chat.you')}</span>
      <p class="words">${said.text}</p>
      <p class="after">${time(said)}${copyOf(said)}${of.canEdit && said.exchangeId && !said.isPrivate && sign('edit', t('chat.edit'), () => editing(node, said, of), 'on-record')}</p>
    </li>`;
  return node;
}

function theirs(said, of) {
  const failed = said.failed ?? (said.isMissing && !said.speaking && t('chat.unanswered'));
  const again = of.canEdit && !said.isPrivate && said.exchangeId;
  const node = html`
    <li class=${['turn', 'theirs', said.speaking && 'speaking', said.isPrivate && 'off']}>
      ${face(of.person)}
      <div class="body">
        <span class="unseen">${t('chat.says', { name: of.name })}</span>
        <div class="words said">${said.speaking && html`<span class="thinking" role="img" aria-label=${t('chat.thinking', { name: of.name })}><i></i><i></i><i></i></span>`}</div>
        ${failed && html`<div class=${['note spread', said.failed && 'bad']}><p>${failed}</p>${button('chat.retry', () => of.again(said), said.isPrivate ? 'small' : 'small on-record', 'revised')}</div>`}
        ${said.escalation && note(t('chat.escalation', { phrase: said.escalation }), 'warn')}
        ${said.standing === 'interrupted' && hint('chat.interrupted', 'small')}
        ${said.isPrivate && !said.speaking && html`<p class="small quiet nothing-kept">${icon('private')} ${t('chat.nothingKept')}</p>`}
        ${said.formed && !said.speaking && formedChips(said.formed, of)}
        ${said.speaking || failed ? null : html`<p class="after">${said.recallId && html`${button('chat.behind', () => of.memories(said.recallId), 'bare small behind', 'memories')}${button('chat.why', () => of.why(said.recallId), 'bare small', 'why')}`}
          ${copyOf(said)}${again && sign('revised', t('chat.again'), () => of.again(said), 'again on-record')}${time(said)}</p>`}
      </div>
    </li>`;
  if (!said.speaking && said.text) fillWhenSeen(node.querySelector('.words'), said.text, of.words);
  return node;
}

function editing(node, said, of) {
  const close = () => form.replaceWith(node);
  const send = (event) => {
    event.preventDefault();
    const text = form.querySelector('textarea').value.trim();
    if (!text || text === said.text) return close();
    of.edit(said, text);
  };
  const typed = (event) => {
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event);
  };
  const form = html`
    <li class="turn mine editing"><form class="stack tight" @submit=${send}>
      <label class="unseen" for="edited">${t('chat.edit')}</label>
      <textarea id="edited" rows="3" maxlength="100000" .value=${said.text} @keydown=${typed}></textarea>
      ${hint('chat.editHint', 'small')}
      <div class="row end">${button('common.cancel', close, 'bare small')}${submit('chat.send', 'main small on-record')}</div>
    </form></li>`;
  node.replaceWith(form);
  form.querySelector('textarea').focus();
}

const time = ({ at, model }) => html`<span class="small quiet stamp"><time datetime=${at}>${clock(at)}</time>${model && html` · <span class="voice" title=${model === 'offline' ? t('models.without') : model}>${model === 'offline' ? t('chat.builtIn') : model.split('/').at(-1)}</span>`}</span>`;
const copyOf = (said) => sign('copy', t('common.copy'), ({ target }) => copy(said.text, target.closest('.turn').querySelector('.words')));
const sign = (name, label, act, more = '') => signButton(name, label, act, `small sign ${more}`);
