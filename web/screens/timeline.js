// A persona's life as a line: revised entries folded, contradictions on top.

import { adjust, button, date, day, empty, entriesOf, fact, fold, get, hint, html, icon, Loading, may, muted, nameOf, nodesOf, path, personaNamed, row, svg, t, tag, vividness, vividnessOf, word, year } from '../lib/page.js';
import { addEntry, reviseEntry, supersedeEntry } from '../parts/entry-acts.js';

export class Screen extends Loading {
  begin() {
    this.who = personaNamed(this.persona);
    super.begin();
  }

  async fetch() {
    this.entries = await entriesOf(this.persona, { includeSuperseded: true });
  }

  async load() {
    await super.load();
    // A model may be asked what fits together, and takes its time.
    const { report } = await get(path`/personas/${this.persona}/consistency`).catch(() => ({}));
    if (report && this.find('.fits')) this.find('.fits').replaceChildren(...nodesOf(this.checked(report)));
  }

  update({ query }) {
    if (!this.entries) return;
    const asked = new Date(`${query.at?.slice(0, 10)}T23:59:59Z`);
    const order = this.order();
    const until = Number.isNaN(+asked) ? new Date(ends(order)[1]) : asked;
    const lived = order.filter((entry) => new Date(entry.eventAt) <= until);
    this.find('.life').replaceChildren(...lived.map((entry, n) => this.entry(entry, lived[n - 1])));
    this.find('.strip').replaceChildren(strip(order, until));
    this.find('#life-at').value = Math.round(1000 * share(order, until));
    this.find('.as-of-words').textContent = t(query.at ? 'timeline.until' : 'timeline.whole', { day: date(until), n: lived.length });
    if (query.add && may('write')) {
      adjust({ add: null });
      addEntry(this.who, order, () => this.load());
    }
    this.find('.removed').replaceChildren(...nodesOf(this.removed()));
    this.find('.none').replaceChildren(order.length ? '' : empty('timeline', t('timeline.none'), t('timeline.noneHint')));
  }

  order() {
    return this.entries.filter((entry) => !entry.supersededAt).sort((a, b) => new Date(a.eventAt) - new Date(b.eventAt) || a.sequence - b.sequence);
  }

  page() {
    const order = this.order();
    const move = (event) => adjust({ at: event.target.value === '1000' ? null : at(order, event.target.value / 1000) });
    return html`
      <header><div><h1>${t('timeline.title', { name: nameOf(this.persona) })}</h1><p class="as-of-words"></p></div>
        ${may('write') && button('timeline.add', () => addEntry(this.who, order, () => this.load()), '', 'plus')}</header>
      <div class="fits stack"></div>
      <div class="life-scrub"><div class="strip"></div><label class="unseen" for="life-at">${t('timeline.slider')}</label><input type="range" id="life-at" min="0" max="1000" @input=${move} /></div>
      <ol class="life"></ol><div class="none"></div><div class="removed"></div>`;
  }

  removed() {
    const gone = this.entries.filter(({ supersededAt, supersededByTimelineId: newer }) => supersededAt && !newer);
    return gone.length > 0 && fold(t('timeline.removed', { n: gone.length }), html`<ul class="stack">${gone.map((entry) => html`<li><h2>${entry.eventLabel}</h2><p class="said">${entry.facts}</p>${hint('timeline.removedOn', 'small', { at: date(entry.eventAt), day: date(entry.supersededAt), reason: entry.supersededReason ?? '' })}</li>`)}</ul>`, 'earlier');
  }

  checked({ issues: found, leftOut = {} }) {
    // The page lists by date, so it is no fault when the past was filled in later.
    const issues = found.filter(({ code }) => code !== 'non_monotonic_event_time');
    const left = Object.entries(leftOut).filter(([, n]) => n);
    return [
      issues.length ? html`<section class="note warn stack" aria-label=${t('timeline.issues')}><h2 class="small">${icon('warn')} ${t('timeline.issues')}</h2><ul>${issues.map((issue) => html`<li>${this.issue(issue)} ${button('timeline.seeIt', () => this.showEntry(issue.timelineId), 'bare small')}</li>`)}</ul></section>` : null,
      left.length ? html`<p class="note small">${t('timeline.leftOut')} ${left.map(([name, n]) => t(`timeline.left.${name}`, { n })).join(' ')}</p>` : null,
    ];
  }

  showEntry(id) {
    const { supersededByTimelineId: newer } = this.entries.find((entry) => entry.id === id) ?? {};
    if (newer) return this.showEntry(newer);
    adjust({ at: null });
    const shown = document.getElementById(`entry-${id}`);
    shown?.scrollIntoView({ block: 'center' });
    shown?.querySelector('h2').focus({ preventScroll: true });
  }

  issue({ code, timelineId, relatedTimelineId, document }) {
    const label = (id) => this.entries.find((entry) => entry.id === id)?.eventLabel ?? t('timeline.anEvent');
    return word('issue', code, { event: label(timelineId), other: document ?? label(relatedTimelineId) });
  }

  before(old, entry) {
    const parts = ['eventLabel', 'facts', 'feelings', 'interpretation'].filter((part) => old[part] !== entry[part]);
    return fold(t('timeline.earlier', { day: day(old.supersededAt) }), html`<dl class="stack tight">${parts.map((part) => fact(t(`timeline.${part}`), html`<span class="said">${old[part]}</span>`))}</dl>`, 'earlier');
  }

  entry(entry, before) {
    const strength = entry.memoryStrength / 100;
    const earlier = this.entries.filter(({ supersededByTimelineId }) => supersededByTimelineId === entry.id);
    const newYear = !before || year(before.eventAt) !== year(entry.eventAt);
    const again = () => this.load();
    return html`
      <li class=${['entry', entry.memoryType, vividnessOf(strength)]} id=${`entry-${entry.id}`} style=${{ '--strength': strength }}>
        <p class="year">${newYear ? year(entry.eventAt) : ''}</p>
        <div class="dot" aria-hidden="true">${icon(entry.memoryType)}</div>
        <article>
          <h2 tabindex="-1">${entry.eventLabel}</h2>
          <p class="facts">${tag(word('type', entry.memoryType), '', entry.memoryType)}${vividness(vividnessOf(strength))}${muted(date(entry.eventAt), '')}${new Date(entry.eventAt) > endOfToday() && tag(t('timeline.ahead'))}${muted(t('timeline.strength', { n: Math.round(entry.memoryStrength) }), '')}${entry.emotionTags.map((name) => tag(name))}</p>
          <p class="said">${entry.facts}</p>
          <p class="said feelings"><span class="unseen">${t('timeline.feelings')}: </span>${entry.feelings}</p>
          <p class="said interpretation"><span class="unseen">${t('timeline.interpretation')}: </span>${entry.interpretation}</p>
          ${entry.revisionReason && hint('timeline.because', 'small', { reason: entry.revisionReason })}
          ${earlier.map((old) => this.before(old, entry))}
          ${may('write') && row(button('timeline.revise', () => reviseEntry(this.who, entry, again), 'bare small', 'revised'), button('timeline.supersede', () => supersedeEntry(this.who, entry, again), 'bare small'))}
        </article>
      </li>`;
  }
}

// An event has a day and no hour, so the whole of today counts.
const endOfToday = () => new Date(`${new Date().toISOString().slice(0, 10)}T23:59:59Z`);
const ends = (order) => [+new Date(order[0]?.eventAt ?? 0), Math.max(endOfToday(), new Date(order.at(-1)?.eventAt ?? 0))];
const share = (order, moment) => Math.min(1, Math.max(0, (moment - ends(order)[0]) / (ends(order)[1] - ends(order)[0] || 1)));
const at = (order, part) => new Date(ends(order)[0] + (ends(order)[1] - ends(order)[0]) * part).toISOString().slice(0, 10);

function strip(order, until) {
  return html`<svg class="strip-line" viewBox="0 0 1000 60" preserveAspectRatio="none" role="img" aria-label=${t('timeline.strip', { n: order.length })}>
    ${order.map((entry) => bead(entry, order, until))}</svg>`;
}

function bead(entry, order, until) {
  const x = 6 + 988 * share(order, new Date(entry.eventAt));
  const kinds = [entry.memoryType, vividnessOf(entry.memoryStrength / 100), new Date(entry.eventAt) > until && 'later'];
  return svg`<line class=${kinds} x1=${x} x2=${x} y1="57" y2=${49 - entry.memoryStrength * 0.46} />`;
}
