// How all of it works, in a page; what this persona says of itself; and the keys.

import { currentPersona, get, head, html, t, View } from '../lib/page.js';
import { SHORTCUTS } from '../lib/shortcuts.js';
import { fillWith } from '../parts/markdown.js';
import { vividness } from '../parts/vividness.js';

const TOPICS = ['talk', 'fading', 'why', 'privacy', 'forgetting', 'proof'];

export class Screen extends View {
  begin() {
    this.draw(html`
      ${head(t('nav.help'), t('help.about'))}
      <div class="two"><div class="stack loose">${TOPICS.map((topic) => html`<section class="stack tight"><h2>${t(`help.${topic}`)}</h2><p class="prose">${t(`help.${topic}Text`)}</p>${topic === 'fading' && html`<p class="facts">${['vivid', 'moderate', 'faded'].map(vividness)}</p>`}</section>`)}</div>
      <div class="stack loose"><section class="card stack own" hidden><h2></h2><div class="words"></div></section>${this.keys()}
      <section class="stack"><h2>${t('help.more')}</h2><p class="prose">${t('help.moreText')} <a href="/docs">/docs</a></p></section></div></div>`);
    this.ownHelp();
  }

  keys() {
    return html`<section class="stack keys"><h2>${t('help.keys')}</h2>
      <dl class="facts-list"><div><dt><kbd>⌘K</kbd> <kbd>Ctrl K</kbd></dt><dd>${t('help.palette')}</dd></div><div><dt><kbd>⌘S</kbd> <kbd>Ctrl S</kbd></dt><dd>${t('help.save')}</dd></div>${SHORTCUTS.map(({ keys, to }) => html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${t(`nav.${to}`)}</dd></div>`)}</dl></section>`;
  }

  async ownHelp() {
    const persona = currentPersona();
    if (!persona) return;
    const { file } = await get('/files/HELP.md', { persona: persona.name }).catch(() => ({}));
    if (!file?.content.trim()) return;
    const own = this.find('.own');
    own.hidden = false;
    own.querySelector('h2').textContent = t('help.own', { name: persona.displayName });
    await fillWith(own.querySelector('.words'), file.content);
  }
}
