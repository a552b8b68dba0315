// One memory in a list: its sentence in ink as strong as it is remembered.

import { called, day, html, meter, muted, path, t, tag, to, vividness, word } from '../lib/page.js';

export const CLASSES = ['non-pii', 'aggregate', 'commercial-confidential', 'staff-pii', 'guest-pii', 'sensitive-pii'];

export const memoryLink = (persona, id, at) => to(persona, 'memories', id) + (at ? path`?at=${at}` : '');

export const gist = (persona, memory, at) => html`<a class="said gist" href=${memoryLink(persona, memory.id, at)}>${memory.gist}</a>`;

export const kindOf = ({ kind }) => tag(word('kind', kind), '', kind);
export const pinned = () => tag(t('memory.pinned'), 'pinned', 'pin');
export const ground = (memory) => `${word('class', memory.privacyClass)}, ${word('basis', memory.consentBasis)}`;

export const standing = ({ redactionStatus }) => (redactionStatus === 'active' ? null : tag(word('status', redactionStatus), 'danger'));

export const done = (text) => tag(t(text), 'well', 'check');

export function memoryCard(persona, memory, at) {
  const aside = standing(memory);
  return html`
    <article class=${['memory', memory.vividness, aside && 'aside']}>
      ${gist(persona, memory, at)}
      <p class="facts">
        ${vividness(memory.vividness)} ${meter(memory.currentSalience, t('curve.weight'))}
        ${kindOf(memory)}
        ${memory.subject && tag(called(memory.subject), '', 'personas')}
        ${memory.pinned && pinned()}
        ${aside}
        ${muted(day(memory.createdAt), '')}
      </p>
    </article>`;
}
