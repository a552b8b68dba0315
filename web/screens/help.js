// How all of it works, in a page; what this persona says of itself; and the keys.

import { currentPersona, fact, get, head, html, section, t, View, vividness } from '../lib/page.js';
import { SHORTCUTS } from '../lib/shortcuts.js';
import { fillWhenSeen } from '../parts/markdown.js';

const TOPICS = ['talk', 'fading', 'why', 'privacy', 'forgetting', 'proof'];

export class Screen extends View {
  begin() {
    this.draw(html`
      ${head(t('nav.help'), t('help.about'))}
      <div class="two"><div class="stack loose">${TOPICS.map((topic) => html`<section class="stack tight"><h2>${t(`help.${topic}`)}</h2><p class="prose">${t(`help.${topic}Text`)}</p>${topic === 'fading' && html`<p class="facts">${['vivid', 'moderate', 'faded'].map(vividness)}</p>`}</section>`)}</div>
      <div class="stack loose"><section class="card stack own" hidden><h2></h2><div class="words"></div></section>${this.keys()}
      ${section(t('help.more'), html`<p class="prose">${t('help.moreText')} <a href="/docs">/docs</a></p>`)}</div></div>`);
    this.ownHelp();
  }

  keys() {
    return html`<section class="stack keys"><h2>${t('help.keys')}</h2>
      <dl class="facts-list">${[['⌘K,Ctrl K', 'help.palette'], ['⌘S,Ctrl S', 'help.save'], ...SHORTCUTS.map(({ keys, to }) => [keys.replace(' ', ','), `nav.${to}`])].map(([keys, text]) => fact(keys.split(',').map((key) => html`<kbd>${key}</kbd> `), t(text)))}</dl></section>`;
  }

  async ownHelp() {
    const persona = currentPersona();
    if (!persona) return;
    const { file } = await get('/files/HELP.md', { persona: persona.name }).catch(() => ({}));
    if (!file?.content.trim()) return;
    const own = this.find('.own');
    own.hidden = false;
    own.querySelector('h2').textContent = t('help.own', { name: persona.displayName });
    fillWhenSeen(own.querySelector('.words'), file.content);
  }
}
