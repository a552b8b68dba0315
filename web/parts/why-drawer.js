// Why a persona said what it said: a sentence, then memory by memory, the numbers and the prompt on demand.

import { ask, button, decimal, fact, fold, get, hint, html, may, moment, muted, nameOf, note, path, refill, row, t, tag, View, vividness, word } from '../lib/page.js';
import { correct, fetchMemory, lighten, restore, setAside } from './memory-acts.js';
import { done, gist, standing } from './memory-card.js';
import { lived, REASONS } from './memory-panel.js';
import { openSheet } from './sheet.js';

const PARTS = ['relevance', 'salience', 'topical', 'recency'];
const SHOWN = 12;
/** Below this a detail is no longer said. */
const FADED = 0.1;

class Why extends View {
  /** `modelOf()` says which model gave the answer, where that is known. */
  async show(persona, recallId, changed, modelOf) {
    if (recallId && this.recallId === recallId && this.body.isConnected) return;
    this.recallId = recallId;
    this.close?.();
    if (!recallId) return;
    Object.assign(this, { persona, changed, modelOf, corrected: new Map(), name: nameOf(persona) });
    this.body = html`<div class="stack loose body">${hint('common.loading')}</div>`;
    this.close = openSheet(t('why.title'), this.body, 'drawer', () => this.recallId === recallId && ask({ why: null }));
    await this.load();
  }

  end() {
    this.close?.();
  }

  async load() {
    const show = (content) => refill(this.body, content);
    try {
      const recall = await get(path`/v1/recalls/${this.recallId}`);
      const { candidates } = recall.trace;
      const first = candidates.toSorted((a, b) => (b.outcome === 'told') - (a.outcome === 'told')).slice(0, SHOWN);
      const seen = await Promise.all(first.map(({ id }) => fetchMemory(this.persona, id).catch(() => null)));
      show(this.story(recall, first.map((candidate, n) => ({ ...candidate, memory: seen[n]?.memory })), await lived(this.persona, recall.trace)));
    } catch (refused) {
      show(note(refused.message));
    }
  }

  story({ at, trace, rehearsedSince }, candidates, life) {
    const given = candidates.filter(({ outcome }) => outcome === 'told');
    const left = candidates.filter(({ outcome }) => outcome !== 'told');
    const isBeside = ({ reason }) => reason === 'place_free';
    const list = (some) => html`<ol class="candidates">${some.map((one) => this.candidate(one, rehearsedSince))}</ol>`;
    const close = given.filter((one) => !isBeside(one));
    const besides = given.filter(isBeside);
    // What the answer itself says is named first.
    const spoken = given.find(({ id, memory }) => memory && rehearsedSince.some((one) => one.id === id))?.memory.gist;
    const faded = given.flatMap(({ memory }) => memory?.details.filter((detail) => detail.currentBrightness < FADED) ?? []);
    const rejected = Object.entries(trace.rejected).filter(([, count]) => count > 0);
    return [
      html`<div class="stack tight"><p class="lead said">${spoken ? t('why.said', { name: this.name, gist: spoken }) : this.lead(given, life.length)}</p>${spoken && html`<p>${this.lead(given, life.length)}</p>`}<p class="quiet small">${moment(at)}</p></div>`,
      given.length > 0 && step(t('why.given', { n: given.length }), close.length > 0 && list(close), besides.length > 0 && html`<details ?open=${!close.length}><summary>${t('chat.besides', { n: besides.length })}</summary>${list(besides)}</details>`),
      life.length > 0 && step(t('why.life'), html`<ul class="brought">${life}</ul>`),
      step(t('why.left'), rejected.length ? html`<ul class="reasons">${rejected.map(([reason, count]) => html`<li><b>${count}</b> ${word('rejected', reason)}</li>`)}</ul>` : hint('why.noneLeft'), left.length > 0 && fold(t('why.nearest'), list(left))),
      faded.length > 0 && step(t('why.faded'), html`<ul class="reasons">${faded.map((detail) => html`<li class="said quiet">“${detail.content}”</li>`)}</ul>`),
      this.modelOf() !== 'offline' && fold(t('why.injected'), html`<pre class="injected" tabindex="0" aria-label=${t('why.injected')}>${trace.rendered || t('why.nothing')}</pre>`, 'step'),
    ];
  }

  lead(given, lived) {
    if (!given.length && !lived) return t('why.leadNothing', { name: this.name });
    const main = REASONS.map((reason) => [reason, given.filter((one) => one.reason === reason).length]).filter(([, n]) => n).map(([reason, n]) => word(n === given.length ? 'broughtAll' : 'brought', reason, { n }));
    const began = given.length ? t('why.lead', { name: this.name, n: given.length }) : t('why.leadLife', { name: this.name, n: lived });
    return [began, ...main, ...(given.length && lived ? [t('why.alsoLife', { n: lived })] : [])].join(' ');
  }

  candidate({ id, memory, score, parts, outcome, reason, closest, words }, rehearsed) {
    const spoken = rehearsed.some((one) => one.id === id);
    const corrected = this.corrected.get(id);
    const isAside = memory && memory.redactionStatus !== 'active';
    return html`
      <li class=${['candidate', memory?.vividness, (corrected ? !corrected.isLighter : isAside) && 'changed']}>
        ${memory ? gist(this.persona, memory) : muted(t('why.goneSince'), '')}
        ${corrected && html`<p class="now">${done(corrected.isLighter ? 'why.lighter' : 'why.corrected')}${corrected.isLighter ? null : gist(this.persona, corrected)}</p>`}
        ${reason && html`<p>${because(reason, memory?.cues?.[closest?.cue])}${words?.length ? ` ${t('because.words', { words: words.join(', ') })}` : ''}</p>`}
        <p class="facts">${memory && vividness(memory.vividness)}${isAside && !corrected && standing(memory)}${spoken && done('why.rehearsed')}${outcome === 'told' ? null : tag(word('rejected', outcome))}</p>
        ${this.acts(id, memory, outcome, isAside, corrected)}
        ${fold(t('why.numbers', { score: decimal(score) }), html`<dl class="parts">${PARTS.map((part) => fact(t(`why.${part}`), [html`<span class="part" style=${{ '--value': parts[part] }}></span>`, decimal(parts[part])]))}</dl>`, 'numbers')}
      </li>`;
  }

  acts(id, memory, outcome, isAside, corrected) {
    if (!memory || !may('write') || outcome !== 'told' || corrected) return null;
    const again = () => (this.load(), this.changed?.());
    const fix = async () => {
      const show = (made) => made && (this.corrected.set(id, made), again());
      show(await correct(this.persona, memory, show));
    };
    const weighed = (lighter) => {
      if (lighter) this.corrected.set(id, { ...lighter, isLighter: true });
      else this.corrected.delete(id);
      again();
    };
    if (isAside) return row(button('acts.restore', () => restore(this.persona, memory, again), 'small', 'undo'));
    return row(button('acts.correct', fix, 'small', 'edit'), button('acts.lighten', () => lighten(this.persona, memory, weighed), 'small'), button('acts.forget', () => setAside(this.persona, memory, again), 'small', 'forget'));
  }
}

const step = (title, ...content) => html`<section class="step"><h3>${title}</h3>${content}</section>`;
const because = (reason, cue) => (reason === 'came_to_mind' && !cue ? t('because.related') : word('because', reason, { cue }));

customElements.define('sh-why', Why);
