// Everyone of whom anything is kept.

import { date, get, html, nameOf, t, View, whenChanged } from '../lib/page.js';
import { closed, empty } from '../parts/empty.js';
import { icon } from '../parts/icon.js';
import { waiting } from '../parts/waiting.js';

export class Screen extends View {
  begin() {
    whenChanged(this, null, () => this.load());
    this.draw(waiting(t('nav.people')));
    this.load();
  }

  async load() {
    try {
      const { data } = await get('/v1/subjects');
      this.draw(html`<header><div><h1>${t('nav.people')}</h1><p>${t('people.about')}</p></div></header>
        ${data.length ? html`<ul class="people">${data.map(person)}</ul>` : empty('people', t('people.none'), t('people.noneHint'))}`);
    } catch (refused) {
      this.draw(closed('people', refused.message));
    }
  }
}

const person = ({ subject, role, memories, since, personas, heldSince, aliases }) => html`
  <li class="card flat"><a class="said gist" href=${`/ui/people/${encodeURIComponent(subject)}`}>${subject}</a>
    <p class="facts"><span class="tag">${icon(role === 'owner' ? 'key' : 'personas')}${t(`people.${role}`)}</span><span>${t('people.memories', { n: memories })}</span>${heldSince ? html`<span class="tag danger">${t('people.held')}</span>` : null}</p>
    <p class="small quiet break">${t('people.since', { day: date(since) })} · ${personas.map(nameOf).join(', ')}${aliases.length ? ` · ${t('people.aka', { names: aliases.join(', ') })}` : ''}</p></li>`;

customElements.define('sh-people', Screen);
