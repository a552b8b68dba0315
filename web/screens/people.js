// Everyone of whom anything is kept.

import { called, date, empty, get, head, html, Loading, nameOf, path, t, tag } from '../lib/page.js';

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
  <li class="card flat"><a class="said gist" href=${path`/ui/people/${subject}`}>${called(subject)}</a>
    <p class="facts">${tag(t(`people.${role}`), '', role === 'owner' ? 'key' : 'personas')}<span>${t('people.memories', { n: memories })}</span>${heldSince && tag(t('people.held'), 'danger')}</p>
    <p class="small quiet break">${t('people.since', { day: date(since) })} · ${personas.map(nameOf).join(', ')}${aliases.length ? ` · ${t('people.aka', { names: aliases.join(', ') })}` : ''}</p></li>`;
