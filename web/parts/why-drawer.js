// Why a persona said what it said: who was considered, how each scored, what fitted, what had faded, and the
// very words that were put into the prompt.

import { get, path } from '../lib/api.js';
import { html } from '../lib/html.js';
import { ask } from '../lib/router.js';
import { may } from '../lib/state.js';
import { t, word } from '../lib/text.js';
import { moment } from '../lib/time.js';
import { View } from '../lib/view.js';
import { icon } from './icon.js';
import { correct, fetchMemory, lighten, setAside } from './memory-acts.js';
import { memoryLink } from './memory-card.js';
import { vividness } from './vividness.js';

const PARTS = ['relevance', 'salience', 'topical', 'recency'];
const SHOWN = 12;

class Why extends View {
  async show(persona, recallId, changed) {
    if (!recallId) return this.draw(null);
    if (this.recallId === recallId && this.querySelector('dialog')) return;
    Object.assign(this, { persona, recallId, changed });
    this.draw(html`<dialog class="drawer" aria-labelledby="why-title" @cancel=${(event) => (event.preventDefault(), close())} @click=${(event) => event.target === event.currentTarget && close()}>
      <div class="stack"><div class="spread"><h2 id="why-title" tabindex="-1">${t('why.title')}</h2><button type="button" class="bare small" @click=${close}>${icon('close')}${t('common.close')}</button></div><div class="stack loose body"><p class="quiet">${t('common.loading')}</p></div></div></dialog>`);
    this.querySelector('dialog').showModal();
    this.querySelector('#why-title').focus();
    await this.load();
  }

  async load() {
    const body = () => this.querySelector('.body');
    try {
      const recall = await get(path`/v1/recalls/${this.recallId}`);
      const { candidates } = recall.trace;
      const first = [...candidates.filter(({ outcome }) => outcome === 'told'), ...candidates.filter(({ outcome }) => outcome !== 'told')].slice(0, SHOWN);
      const seen = await Promise.all(first.map(({ id }) => fetchMemory(this.persona, id).catch(() => null)));
      body()?.replaceChildren(...this.story(recall, first.map((candidate, n) => ({ ...candidate, memory: seen[n]?.memory }))));
    } catch (refused) {
      body()?.replaceChildren(html`<p class="note">${refused.message}</p>`);
    }
  }

  story({ at, trace, rehearsedSince }, candidates) {
    const told = candidates.filter(({ outcome }) => outcome === 'told');
    const left = candidates.filter(({ outcome }) => outcome !== 'told');
    const faded = told.filter(({ memory }) => memory?.details.some((detail) => detail.currentBrightness < 0.1));
    const rejected = Object.entries(trace.rejected).filter(([, count]) => count > 0);
    return [
      html`<p class="quiet small">${moment(at)}</p>`,
      step(1, t('why.told', { n: told.length }), told.length ? html`<ol class="candidates">${told.map((one) => this.candidate(one, rehearsedSince))}</ol>` : html`<p class="quiet">${t('why.nothingTold')}</p>`),
      step(2, t('why.left'), html`
        ${rejected.length ? html`<ul class="reasons">${rejected.map(([reason, count]) => html`<li><b>${count}</b> ${word('rejected', reason)}</li>`)}</ul>` : html`<p class="quiet">${t('why.noneLeft')}</p>`}
        ${left.length ? html`<details><summary>${t('why.nearest')}</summary><ol class="candidates">${left.map((one) => this.candidate(one, []))}</ol></details>` : null}`),
      step(3, t('why.faded'), faded.length ? html`<ul class="reasons">${faded.flatMap(({ memory }) => memory.details.filter((detail) => detail.currentBrightness < 0.1).map((detail) => html`<li class="said quiet">“${detail.content}”</li>`))}</ul>` : html`<p class="quiet">${t('why.nothingFaded')}</p>`),
      step(4, t('why.injected'), html`<pre class="injected" tabindex="0" aria-label=${t('why.injected')}>${trace.rendered || t('why.nothing')}</pre>`),
    ];
  }

  candidate({ id, memory, score, parts, outcome, reason, closest, words }, rehearsed) {
    const spoken = rehearsed.some((one) => one.id === id);
    const again = () => (this.load(), this.changed?.());
    const acts = memory && may('write') && memory.redactionStatus === 'active' && outcome === 'told';
    return html`
      <li class=${['candidate', memory?.vividness]}>
        ${memory ? html`<a class="said gist" href=${memoryLink(this.persona, id)}>${memory.gist}</a>` : html`<span class="quiet">${t('why.goneSince')}</span>`}
        ${reason ? html`<p>${sentence(reason, memory?.cues?.[closest?.cue])}${words?.length ? ` ${t('because.words', { words: words.join(', ') })}` : ''}</p>` : null}
        <p class="facts">${memory ? vividness(memory.vividness) : null}<span class="tag">${t('why.score', { score: score.toFixed(2) })}</span>${spoken ? html`<span class="tag well">${icon('check')}${t('why.rehearsed')}</span>` : null}${outcome === 'told' ? null : html`<span class="tag">${word('rejected', outcome)}</span>`}</p>
        <dl class="parts">${PARTS.map((part) => html`<div><dt>${t(`why.${part}`)}</dt><dd><span class="part" style=${{ '--value': parts[part] }}></span>${parts[part].toFixed(2)}</dd></div>`)}</dl>
        ${acts ? html`<div class="row"><button type="button" class="small" @click=${async () => (await correct(this.persona, memory)) && again()}>${icon('edit')}${t('acts.correct')}</button><button type="button" class="small" @click=${() => lighten(this.persona, memory, again)}>${t('acts.lighten')}</button><button type="button" class="small" @click=${() => setAside(this.persona, memory, again)}>${icon('forget')}${t('acts.forget')}</button></div>` : null}
      </li>`;
  }
}

/** The main reason in a sentence; a cue that was changed since is not named. */
const sentence = (reason, cue) => (reason === 'came_to_mind' && !cue ? t('because.related') : t(`because.${reason}`, { cue }));
const step = (n, title, content) => html`<section class="step"><h3><span class="n" aria-hidden="true">${n}</span>${title}</h3>${content}</section>`;
const close = () => ask({ why: null });

customElements.define('sh-why', Why);
