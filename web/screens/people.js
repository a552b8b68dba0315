// Everyone of whom anything is kept.

import { called, date, get, head, html, icon, nameOf, t } from '../lib/page.js';
import { empty } from '../parts/empty.js';
import { Loading } from '../parts/loading.js';

export class Screen extends Loading {
  async fetch() {
    this.people = (await get('/v1/subjects')).data;
  }

  page() {
    return html`${head(t('nav.people'), t('people.about'))}
      ${this.people.length ? html`<ul class="people">${this.people.map(person)}</ul>` : empty('people', t('people.none'), t('people.noneHint'))}`;
  }
}

const person = ({ subject, role, memories, since, personas, heldSince, aliases }) => html`
  <li class="card flat"><a class="said gist" href=${`/ui/people/${encodeURIComponent(subject)}`}>${called(subject)}</a>
    <p class="facts"><span class="tag">${icon(role === 'owner' ? 'key' : 'personas')}${t(`people.${role}`)}</span><span>${t('people.memories', { n: memories })}</span>${heldSince && html`<span class="tag danger">${t('people.held')}</span>`}</p>
    <p class="small quiet break">${t('people.since', { day: date(since) })} · ${personas.map(nameOf).join(', ')}${aliases.length ? ` · ${t('people.aka', { names: aliases.join(', ') })}` : ''}</p></li>`;
