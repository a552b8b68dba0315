// What an erasure takes away, in the words of people. The places on disk are a detail.

import { html, nameOf, state, t, word } from '../lib/page.js';
import { number, table } from './table.js';

const GROUPS = { payloads: 'memories', atoms: 'memories', sessions: 'conversations', turns: 'messages', traces: 'explanations', timeline: 'events', documents: 'notes', home_documents: 'files', consents: 'consents', keys: 'keys' };

export const groupOf = ({ place }) => GROUPS[place.split(':').at(-1)] ?? (/^(memory\.db|postgres|deployment\.db):/.test(place) ? 'other' : 'files');

export function goes(places) {
  const theirs = places.filter(({ own }) => own > 0);
  if (!theirs.length) return html`<p class="note">${t('forget.nothing')}</p>`;
  const counts = new Map();
  for (const place of theirs) {
    const key = JSON.stringify([groupOf(place), place.persona ?? '', place.method]);
    counts.set(key, (counts.get(key) ?? 0) + place.own);
  }
  const several = state.personas.length > 1;
  const order = Object.values(GROUPS).toSpliced(-1, 0, 'other');
  const place = ([key]) => order.indexOf(JSON.parse(key)[0]);
  const rows = [...counts].sort((a, b) => place(a) - place(b)).map(([key, count]) => {
    const [group, persona, method] = JSON.parse(key);
    return [word('group', group), ...(several ? [persona && nameOf(persona)] : []), word('method', method), count];
  });
  return html`${table(t('forget.places'), [t('forget.what'), ...(several ? [t('nav.persona')] : []), t('forget.method'), number(t('forget.count'))], rows)}
    <details class="small"><summary>${t('forget.onDisk')}</summary><ul>${places.map((place) => html`<li><code class="break">${place.place}</code> ${nameOf(place.persona) ?? ''}: ${place.own}${place.proposed ? ` + ${place.proposed}` : ''}</li>`)}</ul></details>`;
}

export function proposalList(proposals, decides) {
  return html`<ul class="proposals">${proposals.map((one) => html`<li>
    ${decides && html`<input type="checkbox" id=${`take-${one.number}`} name="take" value=${one.number} .checked=${one.telling} />`}
    <label for=${decides ? `take-${one.number}` : null}><span class="said">“${one.excerpt}”</span><span class="small quiet break">${t('forget.where', { what: word('groupOne', groupOf(one)), name: nameOf(one.persona) ?? '' })} · ${word('method', one.method)}</span>${one.telling && html`<span class="tag">${t('forget.telling')}</span>`}</label></li>`)}</ul>`;
}
