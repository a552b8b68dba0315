// An address that leads nowhere, said plainly, with the ways on.

import { html, t, View } from '../lib/page.js';
import { empty } from '../parts/empty.js';

export class Screen extends View {
  begin() {
    const { persona } = this;
    this.draw(html`<header><h1>${t('nav.lost')}</h1></header>
      ${empty('search', t(persona ? 'lost.persona' : 'lost.title', { name: persona }), t(persona ? 'lost.personaHint' : 'lost.hint', { path: location.pathname }), html`<div class="row"><a class="button main" href="/ui">${t('lost.home')}</a><a class="button" href="/ui/personas">${t('nav.personas')}</a></div>`)}`);
  }
}
