// Where one speaks: the words, whether they are kept, and the button that sends them or stops the answer.

import { adjust, html, icon, t } from '../lib/page.js';

/** `chat`: { name, say(text), stop(), typed(text) }. Gives { node, field, show({ isPrivate, isSpeaking }) }. */
export function composer(chat) {
  const send = () => {
    const text = field.value.trim();
    if (!text || node.classList.contains('speaking')) return;
    field.value = '';
    chat.typed('');
    chat.say(text);
  };
  const pressed = (event) => {
    // Under a thumb, Enter is a new line: there is a button for sending.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    send();
  };
  const field = html`<textarea id="say" rows="1" maxlength="100000" aria-describedby="say-hint" @keydown=${pressed} @input=${() => chat.typed(field.value)}></textarea>`;
  const button = html`<div class="send"></div>`;
  const privately = html`<button class="small off-record" @click=${() => adjust({ private: !node.classList.contains('private') })}>${icon('private')}${t('chat.offRecord')}</button>`;
  const node = html`
    <form class="composer" @submit=${send}>
      <label class="unseen" for="say">${t('chat.say', { name: chat.name })}</label>
      <div class="speak">${field}${button}</div>
      <div class="spread">${privately}<p id="say-hint" class="small quiet">${t('chat.sendHint')}</p></div>
    </form>`;
  const show = ({ isPrivate, isSpeaking }) => {
    node.classList.toggle('private', isPrivate);
    node.classList.toggle('speaking', isSpeaking);
    privately.setAttribute('aria-pressed', isPrivate ? 'true' : 'false');
    field.placeholder = t(isPrivate ? 'chat.sayPrivate' : 'chat.say', { name: chat.name });
    button.replaceChildren(isSpeaking ? html`<button @click=${() => chat.stop()}>${icon('stop')}<span>${t('chat.stop')}</span></button>` : html`<button type="submit" class="main">${icon('send')}<span>${t('chat.send')}</span></button>`);
  };
  return { node, field, show };
}
