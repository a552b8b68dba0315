// What stands around a conversation: how it begins, and what is seldom needed.

import { adjust, ask, button, face, field, html, may, state, t, to } from '../lib/page.js';
import './models.js';
import { openSheet } from './sheet.js';

const DEMO = 'nora-lindqvist';

export function beginning(chat) {
  const { person, persona, name } = chat;
  const tries = person?.name === DEMO ? [1, 2, 3].map((n) => t(`chat.try${n}`)) : [t('chat.tryAny'), t('chat.tryKnow')];
  return html`<li class="beginning">${face(person, 'large')}
    <p class="said greeting">${person?.greeting || t('chat.greeting', { name })}</p>
    ${person?.summary && person.summary !== name && html`<p class="quiet">${person.summary}</p>`}
    <div class="row tries">${tries.map((text) => html`<button class="small" @click=${() => chat.say(text)}>${text}</button>`)}</div>
    <p class="small quiet">${t('chat.beginning')} <a href=${to(persona, 'memories')}>${t('chat.seeMemories', { name })}</a></p>${modelButton()}</li>`;
}

export function talkMenu(chat, close) {
  const { query } = chat.route;
  const then = (act) => () => (close(), act());
  return [
    chat.talk.session ? html`<div class="stack tight acts">${button('chat.find', then(() => chat.findWords()), 'bare small', 'search')}${button('chat.rename', then(() => chat.rename()), 'bare small', 'edit')}
      ${button('chat.deleteIt', then(() => chat.delete()), 'bare small danger', 'close')}</div>` : null,
    may('admin') ? field('as', t('chat.as'), { suggested: state.people ?? [], spellcheck: false, placeholder: t('chat.owner'), value: query.as ?? '', onchange: (event) => ask({ as: event.target.value.trim(), session: null, new: null }), hint: t('chat.asHint') }) : null,
    field('tier', t('chat.context'), { options: [1, 2, 3, 4].map((tier) => [tier, t(`chat.tiers.${tier}`)]), value: query.tier ?? '2', onchange: (event) => adjust({ tier: event.target.value === '2' ? null : event.target.value }), hint: t('chat.contextHint') }),
    modelButton(close),
  ];
}

const modelButton = (first) => (may('admin') ? button('chat.model', () => (first?.(), openSheet(t('settings.model'), html`<sh-models></sh-models>`)), 'bare small', 'settings') : null);
