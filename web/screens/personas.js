// All personas: who they are, whether they remember, and how to make another.

import { button, date, field, get, go, head, html, icon, loadState, may, path, post, remove, state, t, to } from '../lib/page.js';
import { askFirst } from '../parts/dialog.js';
import { face } from '../parts/face.js';
import { Loading } from '../parts/loading.js';
import { tell, tellRefusal, trying } from '../parts/toasts.js';
import { withoutMemory } from '../parts/without-memory.js';

export class Screen extends Loading {
  fetch() {
    return loadState();
  }

  page() {
    return html`
      ${head(t('nav.personas'), t('personas.about'), may('write') && html`<a class="button main" href="/ui/welcome">${icon('plus')}${t('personas.new')}</a>`)}
      <ul class="people">${state.personas.map((persona) => this.card(persona))}</ul>`;
  }

  card(persona) {
    const isOn = persona.memory === 'on';
    return html`<li class="card stack"><h2 class="with">${face(persona)}<a class="gist" href=${to(persona.name, 'chat')}>${persona.displayName}</a></h2>
      <p class="said">${persona.summary}</p>
      <p class="facts"><span class=${['tag', isOn ? 'well' : 'danger']}>${icon(isOn ? 'check' : 'warn')}${t(`personas.${persona.memory}`)}</span><span class="quiet">${t('people.since', { day: date(persona.createdAt) })}</span></p>
      ${withoutMemory(persona.name, persona.notices)}
      <div class="row"><a class="button small main" href=${to(persona.name, 'chat')}>${icon('chat')}${t('nav.chat')}</a>${['memories', 'files'].map((screen) => html`<a class="button small" href=${to(persona.name, screen)}>${t(`nav.${screen}`)}</a>`)}
      ${persona.memory === 'paused' && may('admin') && button('personas.sign', () => this.sign(persona), 'small main')}
      ${may('erase') && button('personas.delete', () => this.delete(persona), 'small danger')}</div></li>`;
  }

  async sign(persona) {
    await post(path`/v1/personas/${persona.name}/sign`).catch(tellRefusal);
    this.load();
  }

  async delete(persona) {
    const { allMemories, timelineEntries } = await get(path`/personas/${persona.id}`).catch(() => ({}));
    const given = await askFirst({
      title: t('personas.deleteTitle', { name: persona.displayName }), confirm: t('personas.deleteIt'), danger: true,
      body: html`<p>${t('personas.deleteHint')}</p>${allMemories === undefined ? null : html`<p class="note">${t('personas.deleteCounts', { memories: t('people.memories', { n: allMemories }), events: t('personas.events', { n: timelineEntries }) })}</p>`}${field('typed', t('acts.type', { id: persona.name }), { required: true, spellcheck: false, pattern: persona.name })}`,
    });
    if (!given) return;
    await trying(async () => {
      await remove(path`/personas/${persona.id}`);
      tell(t('personas.deleted', { name: persona.displayName }));
      await this.load();
      if (!state.personas.length) go('/ui/welcome');
    });
  }
}
