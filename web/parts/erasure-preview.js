// What an erasure takes away, in the words of people. The places on disk are a detail.

import { html, nameOf, note, number, state, t, table, tag, word } from '../lib/page.js';

const GROUPS = { payloads: 'memories', atoms: 'memories', sessions: 'conversations', turns: 'messages', traces: 'explanations', timeline: 'events', documents: 'notes', home_documents: 'files', consents: 'consents', keys: 'keys' };

export const groupOf = ({ place }) => GROUPS[place.split(':').at(-1)] ?? (/^(memory\.db|postgres|deployment\.db):/.test(place) ? 'other' : 'files');

const ORDER = [...new Set(Object.values(GROUPS)), 'other'];

export function goes(places) {
  const theirs = places.filter(({ own }) => own > 0);
  if (!theirs.length) return note(t('forget.nothing'));
  const several = state.personas.length > 1;
  // Whether a record is destroyed or a file removed is the same to people.
  const alike = Map.groupBy(theirs, (place) => [ORDER.indexOf(groupOf(place)), place.persona, place.method === 'rewritten'].join());
  const row = ([one, ...more]) => [word('group', groupOf(one)), ...(several ? [nameOf(one.persona)] : []), word('method', one.method === 'rewritten' ? one.method : 'destroyed'), more.reduce((sum, { own }) => sum + own, one.own)];
  return table(t('forget.places'), [t('forget.what'), ...(several ? [t('nav.persona')] : []), t('forget.method'), number(t('forget.count'))], [...alike].sort().map(([, some]) => row(some)));
}

export function proposalList(proposals, decides) {
  return html`<ul class="proposals">${proposals.map((one) => html`<li>
    ${decides && html`<input type="checkbox" id=${`take-${one.number}`} name="take" value=${one.number} .checked=${one.telling} />`}
    <label for=${decides ? `take-${one.number}` : null}><span class="said">“${one.excerpt}”</span><span class="small quiet break">${t('forget.where', { what: word('groupOne', groupOf(one)), name: nameOf(one.persona) ?? '' })} · ${word('method', one.method)}</span>${one.telling && tag(t('forget.telling'))}</label></li>`)}</ul>`;
}
