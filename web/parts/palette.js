// ⌘K: everything one can go to, found by typing.

import { html } from '../lib/html.js';
import { go, to } from '../lib/router.js';
import { choice, state } from '../lib/state.js';
import { t } from '../lib/text.js';
import { setTheme } from '../lib/theme.js';
import { View } from '../lib/view.js';
import { icon } from './icon.js';
import { signOut } from './sign-out.js';

class Palette extends View {
  open() {
    if (!state.me || this.querySelector('dialog')) return;
    this.chosen = 0;
    this.draw(html`
      <dialog aria-label=${t('nav.palette')} @close=${() => this.draw(null)}>
        <input id="palette" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" aria-label=${t('nav.palette')} placeholder=${t('palette.hint')} @input=${() => ((this.chosen = 0), this.list())} @keydown=${(event) => this.steer(event)} />
        <ul id="palette-list" role="listbox" aria-label=${t('palette.found')}></ul>
      </dialog>`);
    this.list();
    this.querySelector('dialog').showModal();
  }

  found() {
    const typed = this.querySelector('input').value.toLowerCase().split(/\s+/).filter(Boolean);
    return actions().filter(({ name }) => typed.every((part) => name.toLowerCase().includes(part)));
  }

  list() {
    const found = this.found();
    this.chosen = Math.max(0, Math.min(this.chosen, found.length - 1));
    this.querySelector('ul').replaceChildren(
      ...found.map((action, n) => html`<li id=${`palette-${n}`} role="option" aria-selected=${n === this.chosen ? 'true' : 'false'} @click=${() => this.run(action)}>${icon(action.sign)}${action.name}</li>`),
    );
    this.querySelector('input').setAttribute('aria-activedescendant', found.length ? `palette-${this.chosen}` : '');
    this.querySelector(`#palette-${this.chosen}`)?.scrollIntoView({ block: 'nearest' });
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
    this.querySelector('dialog').close();
    action.act();
  }
}

function actions() {
  const persona = choice('persona') ?? state.personas[0]?.name;
  const visit = (sign, name, address) => ({ sign, name, act: () => go(address) });
  const own = persona ? ['chat', 'memories', 'timeline', 'files', 'distillation', 'audit'].map((name) => visit(name, t(`nav.${name}`), to(persona, name))) : [];
  const all = ['people', 'forget', 'personas', 'settings', 'health', 'help'].map((name) => visit(name, t(`nav.${name}`), `/ui/${name}`));
  const personas = state.personas.map(({ name, displayName }) => visit('personas', t('palette.talk', { name: displayName }), to(name, 'chat')));
  const themes = ['light', 'dark', 'system'].map((theme) => ({ sign: 'settings', name: t(`palette.theme.${theme}`), act: () => setTheme(theme) }));
  return [...own, ...all, ...personas, ...themes, { sign: 'out', name: t('nav.signOut'), act: signOut }];
}

customElements.define('sh-palette', Palette);
