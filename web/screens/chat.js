// Talking with a persona, with the memories behind each answer beside it.

import { get, path, remove } from '../lib/api.js';
import { html } from '../lib/html.js';
import { whenChanged } from '../lib/live.js';
import { ask, to } from '../lib/router.js';
import { may, personaNamed, state } from '../lib/state.js';
import { listenTo } from '../lib/stream.js';
import { t } from '../lib/text.js';
import { View } from '../lib/view.js';
import { composer } from '../parts/composer.js';
import { conversations } from '../parts/conversations.js';
import { askFirst } from '../parts/dialog.js';
import { icon } from '../parts/icon.js';
import '../parts/memory-panel.js';
import { turn } from '../parts/turn.js';
import { tell, tellRefusal } from '../parts/toasts.js';
import '../parts/why-drawer.js';

export class Screen extends View {
  begin() {
    this.className = 'talk';
    this.persona = this.route.names.persona;
    this.name = personaNamed(this.persona)?.displayName ?? this.persona;
    this.turns = [];
    this.draw(this.page());
    whenChanged(this, this.persona, () => this.panel().refresh());
    this.update(this.route);
    this.open();
    this.meet();
  }

  /** Whom one may speak as, to choose from. */
  async meet() {
    if (!may('admin') || state.people) return;
    const { data } = await get('/v1/subjects').catch(() => ({ data: [] }));
    state.people = data.filter(({ role }) => role === 'guest').map(({ subject }) => subject);
    this.update(this.route);
  }

  end() {
    this.speaking?.abort();
  }

  update({ query }) {
    this.querySelector('.composer').replaceWith(composer(this, query));
    this.querySelector('sh-why').show(this.persona, query.why, () => this.panel().refresh());
    this.mode(query);
    const key = `${query.session ?? ''}|${query.as ?? ''}`;
    if (this.opened !== undefined && this.opened !== key && query.session !== this.session) this.open();
    this.opened = key;
  }

  /** A sign only when talk goes another way than usual. */
  mode({ private: off, tier }) {
    const signs = [];
    if (off === '1') signs.push(html`<span class="mode">${icon('private')}${t('chat.offRecord')}</span>`);
    if (tier && tier !== '2') signs.push(html`<span class="mode">${t('chat.tier', { tier })}</span>`);
    this.querySelector('.modes').replaceChildren(...signs);
    this.classList.toggle('private', off === '1');
    if (!this.panel().recallId) this.panel().show(this.persona, undefined, false, off === '1');
  }

  /** Reads the conversation that the address names. */
  async open() {
    const { session, as: subject } = this.route.query;
    this.session = session;
    this.turns = [];
    if (session) {
      try {
        const history = await get(path`/v1/personas/${this.persona}/sessions/${session}`, { subject });
        this.turns = history.turns.map(({ speaker, text, recallId, state: standing, at }) => ({ speaker, text, recallId, standing, at }));
      } catch (refused) {
        tellRefusal(refused);
        ask({ session: null }, { replace: true });
      }
    }
    this.drawTurns();
    this.panel().show(this.persona, this.turns.findLast((said) => said.recallId)?.recallId, false, this.route.query.private === '1');
  }

  drawTurns() {
    const list = this.querySelector('.turns');
    list.replaceChildren(...(this.turns.length ? this.turns.map((said) => this.node(said)) : [this.beginning()]));
    list.lastElementChild?.scrollIntoView({ block: 'end' });
  }

  node(said) {
    return turn(said, { name: this.name, memories: (id) => this.panel().show(this.persona, id, true), why: (id) => ask({ why: id }) });
  }

  async say(message) {
    const { as: subject, tier, private: off } = this.route.query;
    if (!this.turns.length) this.querySelector('.turns').replaceChildren();
    const reply = { speaker: 'persona', text: '', speaking: true };
    const mine = { speaker: 'subject', text: message };
    this.turns.push(mine, reply);
    const list = this.querySelector('.turns');
    list.append(this.node(mine), this.node(reply));
    let shown = list.lastElementChild;
    shown.scrollIntoView({ block: 'end' });
    this.speaking = new AbortController();
    this.update(this.route);
    const body = { message, persona: this.persona, subject, session_id: this.session, tier: tier && Number(tier), off_record: off === '1' };
    const heard = (name, data) => {
      if (name === 'start') this.began(data, off);
      if (name === 'token') {
        reply.text += data.text;
        shown.querySelector('.words').textContent = reply.text;
      }
      if (name === 'done') Object.assign(reply, { text: data.response, recallId: data.recall_id, escalation: data.escalation, private: off === '1' });
      if (name === 'error') Object.assign(reply, { failed: data.error });
    };
    try {
      await listenTo('/chat', body, heard, this.speaking.signal);
    } catch (refused) {
      if (refused.name === 'AbortError') reply.standing = 'interrupted';
      else reply.failed = refused.message;
    }
    reply.speaking = false;
    this.speaking = null;
    const whole = this.node(reply);
    shown.replaceWith(whole);
    shown = whole;
    this.update(this.route);
    this.querySelector('.heard').textContent = reply.failed ?? t('chat.answered', { name: this.name, text: reply.text });
    this.panel().show(this.persona, reply.recallId, false, off === '1');
    shown.scrollIntoView({ block: 'nearest' });
    this.querySelector('#say')?.focus();
  }

  began({ session_id: session, left_out: leftOut }, off) {
    this.session = session;
    if (leftOut?.length) tell(t('chat.leftOut', { parts: leftOut.join(', ') }));
    // What is off the record is in no address either.
    if (off !== '1') ask({ session }, { replace: true });
  }

  stop() {
    this.speaking?.abort();
  }

  panel() {
    return this.querySelector('sh-memory-panel');
  }

  page() {
    return html`
      <section class="speech" aria-label=${t('nav.chat')}>
        <header><h1>${this.name}</h1><div class="row"><span class="modes row"></span>
          <button type="button" class="small" @click=${() => this.choose()}>${icon('clock')}${t('chat.conversations')}</button>
          <button type="button" class="small" @click=${() => this.anew()}>${icon('plus')}${t('chat.new')}</button></div></header>
        <ol class="turns" aria-label=${t('chat.turns')}></ol>
        <div class="composer"></div>
        <p class="heard unseen" role="status" aria-live="polite"></p>
      </section>
      <sh-memory-panel></sh-memory-panel>
      <sh-why></sh-why>`;
  }

  anew() {
    this.session = undefined;
    this.turns = [];
    ask({ session: null, why: null });
    this.drawTurns();
    this.panel().show(this.persona, undefined);
    this.querySelector('#say').focus();
  }

  async choose() {
    const subject = this.route.query.as;
    const chosen = await conversations(this.persona, subject);
    if (chosen?.open) ask({ session: chosen.open });
    if (chosen?.remove && (await askFirst({ title: t('chat.delete'), confirm: t('chat.deleteIt'), danger: true, body: html`<p>${t('chat.deleteHint')}</p>` }))) {
      await remove(path`/v1/personas/${this.persona}/sessions/${chosen.remove}`, { subject }).catch(tellRefusal);
      if (chosen.remove === this.session) this.anew();
      tell(t('chat.deleted'));
    }
  }

  beginning() {
    const persona = personaNamed(this.persona);
    const tries = state.personas.length && persona?.name === 'nora-lindqvist' ? [1, 2, 3].map((n) => t(`chat.try${n}`)) : [t('chat.tryAny')];
    return html`<li class="beginning"><p class="said">${persona?.summary}</p><p class="quiet">${t('chat.beginning', { name: this.name })}</p>
      <div class="row">${tries.map((text) => html`<button type="button" class="small" @click=${() => this.say(text)}>${text}</button>`)}</div>
      <p class="small quiet"><a href=${to(this.persona, 'memories')}>${t('chat.seeMemories')}</a></p></li>`;
  }
}

customElements.define('sh-chat', Screen);
