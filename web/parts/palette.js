// ⌘K: screens, people, memories and what can be done, found by typing.

import { allowed, called, currentPersona, get, go, html, icon, knownPeople, may, OF_ALL, OF_PERSONA, otherLanguages, path, setLanguage, state, t, to, View } from '../lib/page.js';
import { setTheme, THEMES } from '../lib/theme.js';
import { memoryLink } from './memory-card.js';
import { signOut } from './sign-out.js';

const MEMORIES = 6;
const PEOPLE = 5;
const PAUSE = 150;

class Palette extends View {
  open() {
    if (!state.me || this.find('dialog')) return;
    Object.assign(this, { chosen: 0, remembered: [], people: [] });
    this.draw(html`
      <dialog aria-label=${t('nav.palette')} @close=${() => this.draw(null)}>
        <input id="palette" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" aria-label=${t('nav.palette')} placeholder=${t('palette.hint')} @input=${() => this.typed()} @keydown=${(event) => this.steer(event)} />
        <p class="none small quiet" role="status"></p>
        <ul id="palette-list" role="listbox" aria-label=${t('palette.found')}></ul>
      </dialog>`);
    this.list();
    this.find('dialog').showModal();
    this.meet();
  }

  async meet() {
    this.people = (await knownPeople()).map(({ subject }) => visit('people', called(subject), path`/ui/people/${subject}`, t('nav.person')));
    if (this.find('input')) this.list();
  }

  typed() {
    this.chosen = 0;
    this.list();
    clearTimeout(this.seeking);
    this.seeking = setTimeout(() => this.seek(), PAUSE);
  }

  async seek() {
    const q = this.find('input')?.value.trim();
    const persona = currentPersona()?.name;
    if (!q || q.length < 2 || !persona) return void (this.remembered = []);
    const { data } = await get(path`/v1/personas/${persona}/memories`, { q, limit: MEMORIES }).catch(() => ({ data: [] }));
    if (this.find('input')?.value.trim() !== q) return;
    this.remembered = data.map((memory) => visit(memory.vividness, memory.gist, memoryLink(persona, memory.id), t('nav.memory')));
    this.list();
  }

  found() {
    const typed = this.find('input').value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ name, words = '' }) => typed.every((part) => `${name} ${words}`.toLowerCase().includes(part));
    return [...actions().filter(fits), ...(typed.length ? this.people.filter(fits).slice(0, PEOPLE) : []), ...(typed.length ? this.remembered : [])];
  }

  list() {
    const found = this.found();
    this.chosen = Math.max(0, Math.min(this.chosen, found.length - 1));
    this.find('ul').replaceChildren(
      ...found.map((action, n) => html`<li id=${`palette-${n}`} role="option" aria-selected=${n === this.chosen ? 'true' : 'false'} @click=${() => this.run(action)}>${icon(action.sign)}<span class="grow">${action.name}</span>${action.kind && html`<span class="small">${action.kind}</span>`}</li>`),
    );
    this.find('ul').hidden = !found.length;
    this.find('.none').textContent = found.length ? '' : t('palette.none');
    this.find('input').setAttribute('aria-activedescendant', found.length ? `palette-${this.chosen}` : '');
    this.find(`#palette-${this.chosen}`)?.scrollIntoView({ block: 'nearest' });
  }

  steer(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.chosen += step;
      this.list();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const action = this.found()[this.chosen];
      if (action) this.run(action);
    }
  }

  run(action) {
    this.find('dialog').close();
    action.act();
    // The same screen is not opened again, but its field gets the focus.
    document.querySelector('main > *')?.arrive?.();
  }
}

const visit = (sign, name, address, kind) => ({ sign, name, kind, act: () => go(address) });

function actions() {
  const persona = currentPersona()?.name;
  const own = persona ? OF_PERSONA.filter(allowed).map((name) => visit(name, t(`nav.${name}`), to(persona, name))) : [];
  const todo = (sign, name, screen, query = '') => visit(sign, t(name), to(persona, screen) + query);
  const talks = persona ? [todo('plus', 'palette.newTalk', 'chat', '?new=1'), todo('private', 'palette.private', 'chat', '?private=1')] : [];
  const writes = persona && may('write') ? [todo('plus', 'memories.add', 'memories', '?add=1'), todo('plus', 'timeline.add', 'timeline', '?add=1'), visit('plus', t('personas.new'), '/ui/welcome'), ...(allowed('import') ? [todo('download', 'nav.import', 'import')] : [])] : [];
  const all = OF_ALL.filter(allowed).map((name) => visit(name, t(`nav.${name}`), `/ui/${name}`));
  const personas = state.personas.map(({ name, displayName }) => visit('personas', t('palette.talk', { name: displayName }), to(name, 'chat')));
  const themes = THEMES.map((theme) => ({ sign: 'settings', name: t(`palette.theme.${theme}`), act: () => setTheme(theme) }));
  const languages = otherLanguages().map(([name, own]) => ({ sign: 'settings', name: t('palette.language', { language: own }), act: () => setLanguage(name) }));
  const check = allowed('forget') ? [{ ...visit('audit', t('forget.check'), '/ui/forget?check=1'), words: t('palette.checkWords') }] : [];
  return [...own, ...all, ...check, ...talks, ...writes, ...personas, ...themes, ...languages, { sign: 'out', name: t('nav.signOut'), act: signOut }];
}

customElements.define('sh-palette', Palette);
