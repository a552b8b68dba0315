// The memories behind an answer: what was put into the prompt, and what of it was told.

import { get, path } from '../lib/api.js';
import { html } from '../lib/html.js';
import { ask } from '../lib/router.js';
import { t, word } from '../lib/text.js';
import { View } from '../lib/view.js';
import { icon } from './icon.js';
import { fetchMemory } from './memory-acts.js';
import { memoryLink } from './memory-card.js';
import { meter, vividness } from './vividness.js';

class MemoryPanel extends View {
  begin() {
    this.setAttribute('role', 'complementary');
    this.setAttribute('aria-label', t('chat.panel'));
  }

  async show(persona, recallId, focus = false, off = false) {
    Object.assign(this, { persona, recallId });
    if (!recallId) return this.draw(html`<h2>${t('chat.panel')}</h2><p class="quiet small">${t(off ? 'chat.panelPrivate' : 'chat.panelEmpty')}</p>`);
    try {
      const told = await brought(persona, recallId);
      if (this.recallId !== recallId) return;
      this.draw(html`<h2 id="panel-title" tabindex="-1">${t('chat.panel')}</h2>${told.length ? html`<ol class="brought">${told}</ol>` : html`<p class="quiet small">${t('chat.panelNothing')}</p>`}
        <button type="button" class="small" @click=${() => ask({ why: recallId })}>${icon('why')}${t('chat.whyThese')}</button>`);
      if (focus) this.querySelector('#panel-title').focus();
    } catch (refused) {
      this.draw(html`<h2>${t('chat.panel')}</h2><p class="quiet small">${refused.message}</p>`);
    }
  }

  refresh() {
    if (this.recallId) this.show(this.persona, this.recallId);
  }
}

async function brought(persona, recallId) {
  const { trace, rehearsedSince } = await get(path`/v1/recalls/${recallId}`);
  const spoken = new Set(rehearsedSince.map(({ id }) => id));
  const atoms = await Promise.all(trace.candidates.filter(({ outcome }) => outcome === 'told').map(({ id }) => fetchMemory(persona, id).catch(() => null)));
  const lived = trace.life.filter(({ outcome }) => outcome === 'told').map(({ id }) => id);
  const life = lived.length ? (await get(path`/personas/${persona}/timeline`, { limit: 100 })).timeline.filter(({ id }) => lived.includes(id)) : [];
  return [
    ...atoms.filter(Boolean).map(({ memory }) => html`<li class=${['memory', memory.vividness]}><a class="said gist" href=${memoryLink(persona, memory.id)}>${memory.gist}</a><p class="facts">${vividness(memory.vividness)}${meter(memory.currentSalience, t('curve.weight'))}${spoken.has(memory.id) ? html`<span class="tag well">${icon('check')}${t('chat.told')}</span>` : null}</p></li>`),
    ...life.map((entry) => html`<li class="memory lived"><span class="said gist">${entry.eventLabel}</span><p class="facts"><span class=${['tag', entry.memoryType]}>${icon(entry.memoryType)}${word('type', entry.memoryType)}</span><span class="quiet small">${t('chat.lived')}</span></p></li>`),
  ];
}

customElements.define('sh-memory-panel', MemoryPanel);
