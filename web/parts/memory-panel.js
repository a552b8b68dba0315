// The memories behind an answer.

import { ask, button, entriesOf, get, hint, html, meter, muted, path, t, tag, to, View, vividness, word } from '../lib/page.js';
import { fetchMemory } from './memory-acts.js';
import { done, gist, standing } from './memory-card.js';

/** The clearest first. */
export const REASONS = ['asked_for', 'brought_back', 'came_to_mind', 'related', 'matters_most', 'place_free'];

export class MemoryPanel extends View {
  begin() {
    this.setAttribute('role', 'complementary');
    this.setAttribute('aria-label', t('chat.panel'));
  }

  /** `how`: { focus, isPrivate, hasTitle, until }; a sheet has a title of its own already. */
  async show(persona, recallId, how = {}) {
    Object.assign(this, { persona, recallId, how });
    const title = how.hasTitle ? null : html`<h2 id="panel-title" tabindex="-1">${t('chat.panel')}</h2>`;
    if (!recallId) return this.draw([title, hint(how.isPrivate ? 'chat.panelPrivate' : 'chat.panelEmpty', 'small')]);
    try {
      const { close, besides, isUsed } = await brought(persona, recallId, how.until);
      if (this.recallId !== recallId) return;
      // An answer that mentions none of them, such as a greeting, has no memories behind it.
      const heading = title ?? this.closest('dialog')?.querySelector('h2');
      if (heading && !isUsed && close.length) heading.textContent = t('chat.panelUnused');
      this.draw([title, close.length ? html`<ol class="brought">${close}</ol>` : hint(besides.length ? 'chat.panelNone' : 'chat.panelNothing', 'small'),
        besides.length ? html`<details><summary class="small">${t('chat.besides', { n: besides.length })}</summary><ol class="brought">${besides}</ol></details>` : null,
        button(close.length || besides.length ? 'chat.whyThese' : 'chat.why', () => this.why(recallId), 'small', 'why')]);
      if (how.focus) this.find('#panel-title')?.focus();
    } catch (refused) {
      this.draw([title, html`<p class="quiet small">${refused.message}</p>`]);
    }
  }

  why(recallId) {
    this.closest('dialog')?.close();
    ask({ why: recallId });
  }

  refresh() {
    if (this.recallId) this.show(this.persona, this.recallId, { ...this.how, focus: false });
  }
}

async function brought(persona, recallId, until) {
  const { trace, rehearsedSince } = await get(path`/v1/recalls/${recallId}`);
  const spoken = new Set(rehearsedSince.filter(({ at }) => !until || at < until).map(({ id }) => id));
  const told = trace.candidates.filter(({ outcome }) => outcome === 'told').sort((a, b) => spoken.has(b.id) - spoken.has(a.id) || REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
  const atoms = (some) => Promise.all(some.map(({ id }) => fetchMemory(persona, id).then(({ memory }) => card(persona, memory, spoken.has(memory.id)), () => null)));
  const isBeside = ({ id, reason }) => reason === 'place_free' && !spoken.has(id);
  const [events, close, besides] = await Promise.all([lived(persona, trace), atoms(told.filter((one) => !isBeside(one))), atoms(told.filter(isBeside))]);
  // Where no memory was mentioned, the answer rests on the life.
  const order = spoken.size ? [close, events] : [events, close];
  return { close: order.flat().filter(Boolean), besides: besides.filter(Boolean), isUsed: spoken.size > 0 };
}

/** The events of its life that were put into the prompt, the closest first. */
export async function lived(persona, trace) {
  const rendered = trace.life.filter(({ outcome }) => outcome === 'told').map(({ id }) => id);
  const timeline = rendered.length ? await entriesOf(persona) : [];
  const events = rendered.map((id) => timeline.find((entry) => entry.id === id)).filter(Boolean);
  return events.map((entry) => html`<li class="memory lived"><a class="said gist" href=${to(persona, 'timeline')}>${entry.eventLabel}</a><p class="facts">${tag(word('type', entry.memoryType), entry.memoryType, entry.memoryType)}${muted(t('chat.lived'))}</p></li>`);
}

function card(persona, memory, isSpoken) {
  const aside = standing(memory);
  return html`<li class=${['memory', memory.vividness, aside && 'aside']}>${gist(persona, memory)}<p class="facts">${vividness(memory.vividness)}${meter(memory.currentSalience, t('curve.weight'))}${aside ?? (isSpoken && done('chat.mentioned'))}</p></li>`;
}

customElements.define('sh-memory-panel', MemoryPanel);
