// Where one speaks: the words, as whom, how much is loaded, and whether anything is kept.

import { html } from '../lib/html.js';
import { ask } from '../lib/router.js';
import { may, state } from '../lib/state.js';
import { t } from '../lib/text.js';
import { icon } from './icon.js';

/** `chat` is the screen: it has `say(text)`, `stop()` and `speaking`. */
export function composer(chat, query) {
  const off = query.private === '1';
  const written = chat.querySelector('#say')?.value ?? '';
  const send = () => {
    const field = node.querySelector('#say');
    const text = field.value.trim();
    if (!text || chat.speaking) return;
    field.value = '';
    chat.say(text);
  };
  const typed = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  const node = html`
    <form class="composer" @submit=${(event) => (event.preventDefault(), send())}>
      <label class="unseen" for="say">${t('chat.say', { name: chat.name })}</label>
      <div class="speak"><textarea id="say" rows="2" maxlength="100000" placeholder=${t(off ? 'chat.sayPrivate' : 'chat.say', { name: chat.name })} .value=${written} @keydown=${typed}></textarea>
        ${chat.speaking ? html`<button type="button" @click=${() => chat.stop()}>${icon('stop')}${t('chat.stop')}</button>` : html`<button type="submit" class="main">${icon('send')}${t('chat.send')}</button>`}</div>
      <div class="row">
        <button type="button" class="small" aria-pressed=${off ? 'true' : 'false'} @click=${() => ask({ private: !off, session: null })}>${icon('private')}${t('chat.offRecord')}</button>
        ${may('admin') ? html`<label class="inline small" for="as"><span>${t('chat.as')}</span><input id="as" list="as-list" class="short" autocomplete="off" spellcheck="false" placeholder=${t('chat.owner')} .value=${query.as ?? ''} @change=${(event) => ask({ as: event.target.value.trim(), session: null })} /></label>` : null}
        <label class="inline small" for="tier"><span>${t('chat.context')}</span><select id="tier" .value=${query.tier ?? '2'} @change=${(event) => ask({ tier: event.target.value === '2' ? null : event.target.value }, { replace: true })}>${[1, 2, 3, 4].map((tier) => html`<option value=${tier}>${t(`chat.tiers.${tier}`)}</option>`)}</select></label>
      </div>
      <datalist id="as-list">${state.people?.map((person) => html`<option value=${person}></option>`)}</datalist>
    </form>`;
  return node;
}
