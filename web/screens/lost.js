// An address that leads nowhere, said plainly, with the ways on.

import { empty, html, linkTo, row, t, View } from '../lib/page.js';

export class Screen extends View {
  begin() {
    const { persona } = this;
    this.draw(html`<header><h1>${t('nav.lost')}</h1></header>
      ${empty('search', t(persona ? 'lost.persona' : 'lost.title', { name: persona }), t(persona ? 'lost.personaHint' : 'lost.hint', { path: location.pathname }), row(linkTo('lost.home', '/ui', 'main'), linkTo('nav.personas', '/ui/personas')))}`);
  }
}
