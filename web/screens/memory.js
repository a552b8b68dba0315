// One memory: its sentence, its curve, its details, and what can be done to it.

import { addDays, adjust, button, called, check, date, day, daysBetween, decimal, fact, get, go, hint, html, icon, Loading, may, meter, moment, muted, note, path, t, to, vividness, vividnessOf, word } from '../lib/page.js';
import { between } from '../lib/decay.js';
import '../parts/curve.js';
import { lookOf } from '../parts/curve-marks.js';
import { ahead, asTable, sentence, whatIfSentence } from '../parts/curve-words.js';
import { correct, destroy, pin, restore, setAside, unpin } from '../parts/memory-acts.js';
import { ground, kindOf, memoryLink, pinned } from '../parts/memory-card.js';
import { cues } from '../parts/memory-cues.js';

export class Screen extends Loading {
  begin() {
    this.memoryId = this.route.names.memory;
    super.begin();
  }

  async fetch() {
    const own = path`/v1/personas/${this.persona}/memories/${this.memoryId}`;
    const seen = await get(own);
    const curve = await get(`${own}/curve`, { to: horizon(seen) });
    this.data = { ...seen, points: curve.points };
  }

  heading() {
    return html`${this.back()}<h1 class="unseen">${t('nav.memory')}</h1>`;
  }

  missing() {
    return t('memory.gone');
  }

  back() {
    return html`<a class="back" href=${to(this.persona, 'memories')}>${icon('back')}${t('memory.all')}</a>`;
  }

  update({ query }) {
    if (!this.data) return;
    const at = query.at && !Number.isNaN(+new Date(query.at)) ? new Date(query.at).toISOString() : new Date().toISOString();
    const { points, memory } = this.data;
    const isMentioned = query.mentioned === '1';
    const said = sentence(this.data, at);
    this.find('sh-curve').show(this.data, at, isMentioned);
    this.find('#hand').value = Math.round(this.share(at) * 1000);
    this.find('.sentence').textContent = said;
    this.find('#hand').setAttribute('aria-valuetext', said);
    const salience = between(points, at, (p) => p.salience);
    this.find('.gist-head').dataset.vividness = vividnessOf(salience);
    this.find('.now').replaceChildren(vividness(vividnessOf(salience)), meter(salience, t('curve.weight')));
    this.find('.details').replaceChildren(...memory.details.map((detail, n) => detailRow(detail, n, between(points, at, (p) => p.details[n]))));
    this.find('#what-if').checked = isMentioned;
    this.find('.if-mentioned').textContent = isMentioned ? whatIfSentence(this.data, at) : '';
    this.find('#as-of').value = at.slice(0, 10);
  }

  share(at) {
    const [from, until] = this.span();
    return Math.min(1, Math.max(0, (new Date(at) - from) / (until - from)));
  }

  span() {
    return [+new Date(this.data.points[0].at), +new Date(this.data.points.at(-1).at)];
  }

  move(part) {
    const [from, until] = this.span();
    adjust({ at: new Date(from + (until - from) * part).toISOString() });
  }

  page() {
    const { memory } = this.data;
    const aside = memory.redactionStatus !== 'active';
    return html`
      ${this.back()}
      <header class="gist-head"><h1 class="said">${memory.gist}</h1><div class="row apart"><p class="facts now"></p>${this.acts()}</div></header>
      ${memory.pinned && html`<p class="pinned-note small">${pinned()} ${t('memory.pinnedHint')}</p>`}
      ${aside && note(t('memory.unused', { status: word('status', memory.redactionStatus) }), 'warn')}
      <section class="card curve-card" aria-labelledby="curve-title">
        <div class="spread"><h2 id="curve-title">${t('curve.title')}</h2>
          <div class="row as-of"><label for="as-of" class="label">${t('curve.asOf')}</label><input type="date" id="as-of" @change=${(event) => event.target.value && adjust({ at: `${event.target.value}T12:00:00.000Z` })} />${button('curve.today', () => adjust({ at: null, mentioned: null }), 'small')}</div></div>
        <sh-curve @pulled=${(event) => this.move(event.detail)}></sh-curve>
        <label class="unseen" for="hand">${t('curve.hand')}</label>
        <input type="range" id="hand" min="0" max="1000" step="1" @input=${(event) => this.move(event.target.value / 1000)} />
        <p class="sentence said"></p>
        ${check([t('curve.whatIf'), ' ', html`<b class="if-mentioned"></b>`], { id: 'what-if', onchange: ({ target }) => adjust({ mentioned: target.checked }) })}
        ${asTable(this.data)}
      </section>
      <div class="two">
        <section aria-labelledby="details-title" class="stack"><h2 id="details-title">${t('memory.details')}</h2>
          ${memory.details.length ? html`<ul class="details"></ul>` : html`${hint('memory.noDetails')}<ul class="details" hidden></ul>`}
          <h2>${t('memory.ahead')}</h2>${ahead(this.data)}
          ${cues(this.persona, memory, { editable: may('write') && !aside, changed: () => this.load() })}</section>
        <section aria-labelledby="facts-title" class="stack"><h2 id="facts-title">${t('memory.about')}</h2>${this.facts()}</section>
      </div>`;
  }

  facts() {
    const { memory, decay, rehearsals } = this.data;
    const links = (ids) => ids?.length ? ids.map((id) => html`<a href=${memoryLink(this.persona, id)}><code>${id}</code></a> `) : null;
    const row = (name, value) => fact(t(`memory.${name}`), value);
    return html`<dl class="facts-list">
      ${row('id', html`<code>${memory.id}</code>`)}
      ${row('kind', kindOf(memory))}
      ${row('subject', memory.subject && html`<a href=${path`/ui/people/${memory.subject}`}>${called(memory.subject)}</a>`)}
      ${row('class', ground(memory))}
      ${row('formed', moment(memory.createdAt))}
      ${row('mentioned', t('memory.times', { n: memory.rehearsalCount }) + (rehearsals.length ? `, ${t('memory.lastMentioned', { day: day(rehearsals.at(-1).at) })}` : ''))}
      ${row('feeling', t(memory.emotionalValence > 0.05 ? 'memory.good' : memory.emotionalValence < -0.05 ? 'memory.bad' : 'memory.neutral', { value: decimal(memory.emotionalValence) }))}
      ${row('halfLife', t(memory.pinned ? 'memory.daysPinned' : 'memory.days', { n: memory.decayProfile.halfLifeDays }))}
      ${row('kept', decay.retentionEndsAt ? t('memory.until', { day: date(decay.retentionEndsAt) }) : t('memory.always'))}
      ${row('tags', memory.tags?.length ? memory.tags.map((tag) => html`<a class="tag" href=${to(this.persona, 'memories') + path`?tag=${tag}`}>${tag}</a> `) : null)}
      ${row('revises', links(memory.revises ? [memory.revises] : null))}
      ${row('derived', links(memory.derivedFrom))}
    </dl>`;
  }

  acts() {
    const { memory } = this.data;
    if (!may('write')) return null;
    const act = (name, act, sign = name) => button(`acts.${name}`, () => act(this.persona, memory, () => this.load()), 'small', sign);
    return html`<div class="row">
      ${memory.redactionStatus === 'active' ? [memory.pinned ? act('unpin', unpin, 'pin') : act('pin', pin), act('correct', () => this.correct(), 'edit'), act('setAside', setAside, 'forget')] : act('restore', restore, 'undo')}
      ${may('erase') && button('acts.destroy', () => this.destroy(), 'small danger')}
    </div>`;
  }

  async correct() {
    const show = (memory) => memory && go(memoryLink(this.persona, memory.id));
    show(await correct(this.persona, this.data.memory, show));
  }

  async destroy() {
    if (await destroy(this.persona, this.data.memory)) go(to(this.persona, 'memories'));
  }
}

/** Far enough to see what is named ahead, no further than five half-lives, and not past its deletion. */
function horizon({ memory, decay }) {
  const life = memory.decayProfile.halfLifeDays;
  const named = [...decay.crossings.map(({ at }) => at), decay.retentionEndsAt].filter(Boolean).map((at) => daysBetween(Date.now(), at));
  const days = Math.min(5.5 * life, Math.max(3 * life, ...named.map((ahead) => ahead * 1.08 + 2)));
  const kept = decay.retentionEndsAt ? daysBetween(Date.now(), decay.retentionEndsAt) * 1.08 + 2 : Infinity;
  return addDays(Date.now(), Math.max(2, Math.min(days, kept)));
}

const detailRow = (detail, n, brightness) => html`
  <li class=${brightness < 0.1 && 'gone'} style=${{ '--bright': Math.max(0.25, brightness) }}>
    <svg class=${['swatch', lookOf(n)]} viewBox="0 0 30 10" aria-hidden="true"><path d="M0 5h30" /></svg><span class="said">${detail.content}</span>${meter(brightness, t('memory.brightness'))}${muted(brightness < 0.1 ? t('memory.faded') : decimal(brightness))}</li>`;
