// One memory in a list: its sentence in ink as strong as it is remembered.

import { called, day, html, icon, t, to, word } from '../lib/page.js';
import { meter, vividness } from './vividness.js';

export const CLASSES = ['non-pii', 'aggregate', 'commercial-confidential', 'staff-pii', 'guest-pii', 'sensitive-pii'];

export const memoryLink = (persona, id, at) => to(persona, 'memories', id) + (at ? `?at=${encodeURIComponent(at)}` : '');

/** Its sentence, which leads to it. */
export const gist = (persona, memory, at) => html`<a class="said gist" href=${memoryLink(persona, memory.id, at)}>${memory.gist}</a>`;

/** Why it is never used, if it isn't. */
export const standing = ({ redactionStatus }) => (redactionStatus === 'active' ? null : html`<span class="tag danger">${word('status', redactionStatus)}</span>`);

/** Something that went well, in a word. */
export const done = (text) => html`<span class="tag well">${icon('check')}${t(text)}</span>`;

export function memoryCard(persona, memory, at) {
  const aside = standing(memory);
  return html`
    <article class=${['memory', memory.vividness, aside && 'aside']}>
      ${gist(persona, memory, at)}
      <p class="facts">
        ${vividness(memory.vividness)} ${meter(memory.currentSalience, t('curve.weight'))}
        <span class="tag">${icon(memory.kind)}${word('kind', memory.kind)}</span>
        ${memory.subject && html`<span class="tag">${icon('personas')}${called(memory.subject)}</span>`}
        ${memory.pinned && html`<span class="tag pinned">${icon('pin')}${t('memory.pinned')}</span>`}
        ${aside}
        <span class="quiet">${day(memory.createdAt)}</span>
      </p>
    </article>`;
}
