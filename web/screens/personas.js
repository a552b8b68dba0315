// All personas: who they are, whether they remember, and how to make another.

import { askFirst, button, date, face, field, get, go, head, html, linkTo, Loading, loadState, may, muted, path, post, remove, row, state, t, tag, tell, tellRefusal, to, trying } from '../lib/page.js';
import { withoutMemory } from '../parts/without-memory.js';

export class Screen extends Loading {
  fetch() {
    return loadState();
  }

  page() {
    return html`
      ${head(t('nav.personas'), t('personas.about'), may('write') && linkTo('personas.new', '/ui/welcome', 'main', 'plus'))}
      <ul class="people">${state.personas.map((persona) => this.card(persona))}</ul>`;
  }

  card(persona) {
    const isOn = persona.memory === 'on';
    return html`<li class="card stack"><h2 class="with">${face(persona)}<a class="gist" href=${to(persona.name, 'chat')}>${persona.displayName}</a></h2>
      <p class="said">${persona.summary}</p>
      <p class="facts">${tag(t(`personas.${persona.memory}`), isOn ? 'well' : 'danger', isOn ? 'check' : 'warn')}${muted(t('people.since', { day: date(persona.createdAt) }), '')}</p>
      ${withoutMemory(persona.name, persona.notices)}
      ${row(linkTo('nav.chat', to(persona.name, 'chat'), 'small main', 'chat'), ['memories', 'files'].map((screen) => linkTo(`nav.${screen}`, to(persona.name, screen), 'small')), persona.memory === 'paused' && may('admin') && button('personas.sign', () => this.sign(persona), 'small main'), may('erase') && button('personas.delete', () => this.delete(persona), 'small danger'))}</li>`;
  }

  async sign(persona) {
    await post(path`/v1/personas/${persona.name}/sign`).catch(tellRefusal);
    this.load();
  }

  async delete(persona) {
    const { allMemories, timelineEntries } = await get(path`/personas/${persona.id}`).catch(() => ({}));
    const given = await askFirst({
      title: 'personas.deleteTitle', named: { name: persona.displayName }, confirm: 'personas.deleteIt', danger: true,
      about: 'personas.deleteHint', body: [allMemories === undefined ? null : html`<p class="note">${t('personas.deleteCounts', { memories: t('people.memories', { n: allMemories }), events: t('personas.events', { n: timelineEntries }) })}</p>`, field('typed', t('acts.type', { id: persona.name }), { required: true, spellcheck: false, pattern: persona.name })],
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
