// Talk: conversations, turns, and the memories behind them.

import { adjust, ask, askFirst, choice, choose, date, face, failed, field, get, html, icon, keepForVisit, keptForVisit, knownPeople, live, may, nameOf, patch, path, personaNamed, refill, remove, signButton, state, t, tell, tellRefusal, to, View, whenChanged } from '../lib/page.js';
import { Talk } from '../lib/talk.js';
import { composer } from '../parts/composer.js';
import { Conversations } from '../parts/conversations.js';
import { findWords } from '../parts/find-words.js';
import { streamInto } from '../parts/markdown.js';
import { MemoryPanel } from '../parts/memory-panel.js';
import { menu } from '../parts/menu.js';
import { openSheet } from '../parts/sheet.js';
import { beginning, talkMenu } from '../parts/talk-frame.js';
import { turn } from '../parts/turn.js';
import { withoutMemory } from '../parts/without-memory.js';
import '../parts/why-drawer.js';

/** The width from which both sides are shown; the same stands in talk.css. */
const WIDE = '(min-width: 76rem)';
const NEAR_THE_END = 80;
/** So many of the latest turns are shown at once; older ones follow in blocks, which cost nothing out of sight. */
const LATEST = 30;
const BLOCK = 12;
/** So many milliseconds at once go into filling them. */
const FRAME = 8;

export class Screen extends View {
  begin() {
    this.className = 'talk';
    this.person = personaNamed(this.persona);
    this.name = nameOf(this.persona);
    this.nodes = new Map();
    this.following = true;
    this.talk = new Talk(this.persona, { ...this.listeners(), noticed: (notices) => this.notice(notices), leftOut: (files = [], n) => tell(t('chat.leftOut', { parts: [...files, ...(n ? [t('chat.olderTurns', { n })] : [])].join(', ') })) });
    this.composer = composer({ name: this.name, opened: () => this.opened(), say: (text) => this.say(text), stop: () => this.talk.stop(), typed: (text) => this.keepDraft(text) });
    this.draw(this.page());
    this.listen(this.list(), 'scroll', () => this.scrolled());
    this.listen(this.list(), 'filled', () => this.follow());
    this.listen(live, 'formed', ({ detail }) => this.formed(detail));
    whenChanged(this, this.persona, () => this.changedElsewhere());
    this.notice(this.person.notices);
    this.update(this.route);
    this.meet();
  }

  end() {
    this.talk.stop();
  }

  /** On touch screens, the keyboard would hide half of the page. */
  arrive() {
    if (matchMedia('(pointer: coarse)').matches) return false;
    this.composer.field.focus({ preventScroll: true });
    return true;
  }

  async meet() {
    state.people ??= (await knownPeople()).filter(({ role }) => role === 'guest').map(({ subject }) => subject);
  }

  update({ query }) {
    this.showMode();
    this.find('sh-why').show(this.persona, query.why, () => this.panel().refresh(), () => this.talk.turns.find((said) => said.recallId === query.why)?.model);
    this.conversations().set({ persona: this.persona, subject: query.as, session: query.session });
    const wanted = [query.session, query.as, query.new].join('|');
    if (wanted === this.wanted) return;
    const isOther = this.wanted === undefined || query.session !== this.talk.session || query.as !== this.subject;
    Object.assign(this, { wanted, subject: query.as });
    if (isOther) this.open(query);
  }

  isPrivate() {
    return this.route.query.private === '1';
  }

  showMode() {
    const { tier, as: subject } = this.route.query;
    const isPrivate = this.isPrivate();
    const sign = (...content) => html`<span class="mode">${content}</span>`;
    refill(this.find('.modes'), [isPrivate && sign(icon('private'), t('chat.offRecord')), subject && sign(icon('personas'), t('chat.asWhom', { name: subject })), tier && tier !== '2' && sign(t('chat.tier', { tier }))]);
    this.classList.toggle('private', isPrivate);
    this.composer.show({ isPrivate, isSpeaking: Boolean(this.talk.speaking) });
    if (isPrivate) keepForVisit(this.draftName(), null);
    if (!this.panel().recallId) this.panel().show(this.persona, undefined, { isPrivate });
  }

  notice(notices) {
    this.find('.memory-state').replaceChildren(withoutMemory(this.persona, notices));
  }

  /** The draft is there at once: what is typed while the turns are fetched stays. */
  open(query) {
    this.talk.start(query.session);
    this.composer.field.value = keptForVisit(this.draftName()) ?? '';
    this.opening = this.load(query);
  }

  /** Waits until the turns are there; the last conversation is found first. */
  async opened() {
    for (let waited; waited !== this.opening; ) await (waited = this.opening);
  }

  async load({ session, as: subject, new: isNew }) {
    const wanted = (this.loading = {});
    const { field } = this.composer;
    const before = field.value;
    try {
      if (session) {
        const recorded = await this.talk.fetch(session, subject);
        // Turns that come too late must not replace those of another conversation.
        if (this.loading === wanted) this.talk.fill(recorded);
      } else if (!isNew) {
        const last = await this.lastSession(subject);
        if (this.loading === wanted && last) return this.lead({ session: last }, before);
      }
    } catch (refused) {
      if (this.loading !== wanted) return;
      if (refused.code === 'unreachable') return this.list().replaceChildren(html`<li class="beginning">${failed('chat', refused, () => this.open(this.route.query))}</li>`);
      choose(this.lastName(subject), null);
      if (refused.status !== 404) tellRefusal(refused);
      if (session) return this.lead({ session: null, new: '1' }, before);
    }
    if (this.loading !== wanted) return;
    if (session) choose(this.lastName(subject), session);
    this.showMode();
    this.following = true;
    this.drawTurns();
    this.awaitElsewhere(this.talk.turns.at(-1));
    this.showPanel(this.talk.turns.findLast((said) => said.recallId)?.recallId, { isPrivate: this.isPrivate() });
    if (isNew) this.arrive();
    if (this.route.query.find) this.findWords(this.route.query.find);
  }

  findWords(words = '') {
    this.lookAgain = findWords(this.list(), words);
  }

  /** Opens another conversation in place of this one; what was typed since `before` goes there too. */
  lead(where, before) {
    const { value } = this.composer.field;
    this.keepDraft(before);
    adjust(where);
    if (value === before) return;
    this.composer.field.value = value;
    this.keepDraft(value);
  }

  lastName(subject) {
    return `talk.${this.persona}.${subject ?? ''}`;
  }

  async lastSession(subject) {
    const last = choice(this.lastName(subject));
    if (last) return last;
    const { data } = await get(path`/v1/personas/${this.persona}/sessions`, { subject, limit: 1 });
    return data[0]?.id;
  }

  draftName() {
    return `draft.${this.persona}.${this.subject ?? ''}.${this.talk.session ?? ''}`;
  }

  keepDraft(text) {
    if (this.isPrivate()) return;
    // Words that did not reach the server come back to the composer.
    const unsent = this.talk.turns.filter((said, n, all) => !said.exchangeId && !said.isPrivate && all[n + 1]?.failed).map((said) => said.text);
    keepForVisit(this.draftName(), [...unsent, text].filter(Boolean).join('\n'));
  }

  drawTurns() {
    this.nodes.clear();
    const { turns } = this.talk;
    const shown = (from, until) => turns.slice(from, until).flatMap((said, n) => this.withDay(said, turns[from + n - 1]));
    const latest = Math.max(0, turns.length - LATEST);
    const blocks = Array.from({ length: Math.ceil(latest / BLOCK) }, () => html`<li class="old"><ol></ol></li>`);
    this.list().replaceChildren(...blocks, ...(turns.length ? shown(latest) : [beginning(this)]));
    this.follow();
    const fill = () => {
      for (const end = performance.now() + FRAME; performance.now() < end; ) {
        const from = (blocks.length - 1) * BLOCK;
        const block = blocks.pop();
        if (!block?.isConnected) return this.lookAgain?.();
        block.firstChild.append(...shown(from, Math.min(from + BLOCK, latest)));
      }
      setTimeout(fill);
    };
    setTimeout(fill);
  }

  withDay(said, before) {
    const node = this.node(said);
    if (before && date(before.at) === date(said.at)) return [node];
    return before || date(said.at) !== date(new Date()) ? [html`<li class="day small quiet"><span>${date(said.at)}</span></li>`, node] : [node];
  }

  /** What is shown of its words stays until all of them can be. */
  redraw(said) {
    const before = this.nodes.get(said);
    if (!before) return;
    const node = this.node(said, before.querySelector('.words').childNodes);
    node.classList.toggle('shown', before.matches('.shown'));
    before.replaceWith(node);
  }

  node(said, words) {
    const node = turn(said, {
      persona: this.persona, person: this.person, name: this.name, words, subject: this.talk.view?.subject ?? this.subject, canEdit: may('write'),
      changed: () => this.panel().refresh(),
      memories: (id) => this.showMemories(id),
      why: (id) => ask({ why: id }),
      edit: (mine, text) => this.say(text, mine),
      again: (reply) => this.answerAgain(reply),
    });
    this.nodes.set(said, node);
    return node;
  }

  /** A message off the record stays off it when it is tried again; one on it can't be replaced off it. */
  say(text, instead) {
    const isPrivate = Boolean(instead?.isPrivate) || this.isPrivate();
    if (this.talk.speaking || (instead && isPrivate && !instead.isPrivate)) return;
    const { tier } = this.route.query;
    this.replaced = instead;
    this.keepDraft(this.composer.field.value);
    this.answering = this.talk.say(text, { subject: this.subject, tier: tier && Number(tier), isPrivate, instead });
  }

  answerAgain(reply) {
    const { turns } = this.talk;
    const mine = turns[turns.indexOf(reply) - 1];
    if (mine) this.say(mine.text, mine);
  }

  listeners() {
    return {
      began: (mine, reply) => {
        const { turns } = this.talk;
        if (this.replaced || turns.length === 2) this.drawTurns();
        else this.list().append(...this.withDay(mine, turns.at(-3)), this.node(reply));
        this.following = true;
        this.stream = streamInto(this.nodes.get(reply).querySelector('.words'), () => this.follow());
        this.showMode();
        this.follow();
        this.tellElsewhere();
      },
      words: (_, more) => this.stream.add(more),
      opened: (session) => {
        choose(this.lastName(this.subject), session);
        adjust({ session, new: null });
        this.tellElsewhere();
      },
      ended: (mine, reply) => {
        this.stream.end();
        this.keepDraft(this.composer.field.value);
        if (reply.failed && mine.replaces) this.drawTurns();
        else [mine, reply].forEach((said) => this.redraw(said));
        this.showMode();
        this.find('.heard').textContent = reply.failed ?? t('chat.answered', { name: this.name, text: reply.text });
        this.showPanel(reply.recallId, { isPrivate: reply.isPrivate });
        this.conversations().load();
        this.follow();
        this.arrive();
      },
    };
  }

  /** A model has said what is remembered of an exchange. */
  formed({ exchangeId, formation, remembered, notKept }) {
    for (const said of this.talk.turns.filter((said) => said.exchangeId === exchangeId)) {
      said.formed = { formation, remembered, notKept };
      if (said.speaker === 'persona' && !said.speaking) this.redraw(said);
    }
    this.follow();
  }

  /** By this lock, other tabs know that an answer is on its way. */
  tellElsewhere() {
    const { session } = this.talk;
    if (session) navigator.locks?.request(session, () => this.talk.speaking && this.answering);
  }

  /** An answer that another tab is getting is on its way here, too. */
  async awaitElsewhere(missing) {
    const { held } = (missing?.isMissing && (await navigator.locks?.query())) || {};
    if (!held?.some(({ name }) => name === this.talk.session)) return;
    const show = (speaking) => this.redraw(Object.assign(missing, { speaking }));
    show(true);
    await navigator.locks.request(this.talk.session, () => this.changedElsewhere());
    if (this.talk.turns.includes(missing)) show(false);
  }

  async changedElsewhere() {
    this.panel().refresh();
    for (const { exchangeId } of this.talk.turns.filter((said) => said.speaker === 'subject' && said.formed?.formation === 'pending'))
      get(path`/v1/exchanges/${exchangeId}`, { subject: this.subject }).then((answer) => this.formed(answer), () => {});
    const { session, speaking, turns } = this.talk;
    if (!session || speaking || turns.some(({ isPrivate, failed }) => isPrivate || failed) || this.find('.editing')) return;
    const count = turns.length;
    const now = await this.talk.fetch(session, this.subject).catch(() => null);
    // Another tab went on with this conversation.
    if (!now || this.talk.turns !== turns || turns.length !== count || this.talk.speaking || this.find('.editing') || now.turns.length === turns.filter((said) => !said.isMissing).length) return;
    this.talk.fill(now);
    // There the answer is still coming.
    Object.assign(this.talk.turns.at(-1), { speaking: this.talk.turns.at(-1).isMissing });
    const { scrollTop } = this.list();
    this.drawTurns();
    if (!this.following) this.list().scrollTop = scrollTop;
  }

  scrolled() {
    const list = this.list();
    this.following = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_THE_END;
    this.find('.to-latest').hidden = this.following;
  }

  follow() {
    if (this.following) this.list().scrollTop = this.list().scrollHeight;
  }

  /** What is mentioned after the next message was said belongs to another answer. */
  showPanel(recallId, how, panel = this.panel()) {
    const { turns } = this.talk;
    const until = turns.slice(turns.findIndex((said) => said.recallId === recallId) + 1).find((said) => recallId && said.speaker === 'subject')?.at;
    panel.show(this.persona, recallId, { ...how, until });
    for (const [said, node] of this.nodes) node.classList.toggle('shown', said.recallId === this.panel().recallId);
  }

  showMemories(recallId) {
    if (matchMedia(WIDE).matches) return this.showPanel(recallId, { focus: true });
    const panel = new MemoryPanel();
    openSheet(t('chat.panel'), panel);
    this.showPanel(recallId, { isPrivate: this.isPrivate(), hasTitle: true }, panel);
  }

  showConversations() {
    const list = new Conversations();
    const close = openSheet(t('chat.conversations'), list.set({ persona: this.persona, subject: this.subject, session: this.talk.session, picked: () => close() }), 'sheet start');
  }

  async rename() {
    await askFirst({
      title: 'chat.rename', confirm: 'common.save',
      body: field('title', t('chat.title'), { maxLength: 200, required: true, value: this.talk.view?.title ?? '' }),
      act: (data) => patch(this.talk.record(), { title: data.get('title').trim(), subject: this.subject }),
    });
    this.conversations().load();
  }

  async delete() {
    const given = await askFirst({
      title: 'chat.delete', confirm: 'chat.deleteIt', danger: true, about: 'chat.deleteHint',
      act: () => remove(this.talk.record(), { subject: this.subject }),
    });
    if (!given) return;
    choose(this.lastName(this.subject), null);
    ask({ session: null, why: null, new: '1' });
    this.conversations().load();
    tell(t('chat.deleted'));
  }

  list() {
    return this.find('.turns');
  }

  panel() {
    return this.find(':scope > sh-memory-panel');
  }

  conversations() {
    return this.find(':scope > .talks > sh-conversations');
  }

  page() {
    const latest = () => ((this.following = true), this.follow());
    return html`
      <nav class="talks" aria-label=${t('chat.conversations')}>${new Conversations().set({ persona: this.persona, subject: this.route.query.as, session: this.route.query.session })}</nav>
      <section class="speech" aria-label=${t('nav.chat')}>
        <header><div class="with">${face(this.person)}<h1>${this.name}</h1></div><div class="row"><span class="modes row"></span>
          ${signButton('clock', t('chat.conversations'), () => this.showConversations(), 'round narrow')}
          <a class="button bare round narrow" aria-label=${t('chat.new')} title=${t('chat.new')} href=${`${to(this.persona, 'chat')}?new=1`}>${icon('plus')}</a>
          ${menu(t('chat.options'), (close) => talkMenu(this, close))}</div></header>
        <div class="memory-state" role="status"></div>
        <div class="flow"><ol class="turns" aria-label=${t('chat.turns')} tabindex="0"></ol><button class="small to-latest" hidden @click=${latest}>${icon('down')}${t('chat.latest')}</button></div>
        ${this.composer.node}
        <p class="heard unseen" role="status" aria-live="polite"></p>
      </section>
      ${new MemoryPanel()}
      <sh-why></sh-why>`;
  }
}
