// Where one writes: the field, whether words are kept, and the button that sends or stops.

import { adjust, button, html, icon, t } from '../lib/page.js';

/** `chat`: { name, opened(), say(text), stop(), typed(text) }. Gives { node, field, show({ isPrivate, isSpeaking }) }. */
export function composer(chat) {
  const send = async () => {
    const typed = field.value;
    await chat.opened();
    // If another conversation was opened meanwhile, the words stay the draft of this one.
    if (!typed.trim() || field.value !== typed || node.classList.contains('speaking')) return;
    field.value = '';
    chat.typed('');
    chat.say(typed.trim());
  };
  const pressed = (event) => {
    // Under a thumb, Enter is a new line: there is a button for sending.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    send();
  };
  const field = html`<textarea id="say" rows="1" maxlength="100000" aria-describedby="say-hint" @keydown=${pressed} @input=${() => chat.typed(field.value)}></textarea>`;
  const place = html`<div class="send"></div>`;
  const privately = button('chat.offRecord', () => adjust({ private: !node.classList.contains('private') }), 'small off-record', 'private');
  const node = html`
    <form class="composer" @submit=${send}>
      <label class="unseen" for="say">${t('chat.say', { name: chat.name })}</label>
      <div class="speak">${field}${place}</div>
      <div class="spread">${privately}<p id="say-hint" class="small quiet">${t('chat.sendHint')}</p></div>
    </form>`;
  const show = ({ isPrivate, isSpeaking }) => {
    const wasSpeaking = node.classList.contains('speaking');
    node.classList.toggle('private', isPrivate);
    node.classList.toggle('speaking', isSpeaking);
    privately.setAttribute('aria-pressed', isPrivate ? 'true' : 'false');
    field.placeholder = t(isPrivate ? 'chat.sayPrivate' : 'chat.say', { name: chat.name });
    // The button stays under the finger that presses it, unless it becomes another.
    if (place.firstChild && isSpeaking === wasSpeaking) return;
    place.replaceChildren(isSpeaking ? html`<button @click=${() => chat.stop()}>${icon('stop')}<span>${t('chat.stop')}</span></button>` : html`<button type="submit" class="main">${icon('send')}<span>${t('chat.send')}</span></button>`);
  };
  return { node, field, show };
}
