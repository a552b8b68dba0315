// One memory in a list: its sentence in ink as strong as it is remembered.

import { called, day, html, icon, t, to, word } from '../lib/page.js';
import { meter, vividness } from './vividness.js';

export const CLASSES = ['non-pii', 'aggregate', 'commercial-confidential', 'staff-pii', 'guest-pii', 'sensitive-pii'];

export const memoryLink = (persona, id, at) => to(persona, 'memories', id) + (at ? `?at=${encodeURIComponent(at)}` : '');

export function memoryCard(persona, memory, at) {
  const status = memory.redactionStatus !== 'active' ? html`<span class="tag danger">${word('status', memory.redactionStatus)}</span>` : null;
  return html`
    <article class=${['memory', memory.vividness, memory.redactionStatus !== 'active' && 'aside']}>
      <a class="said gist" href=${memoryLink(persona, memory.id, at)}>${memory.gist}</a>
      <p class="facts">
        ${vividness(memory.vividness)} ${meter(memory.currentSalience, t('curve.weight'))}
        <span class="tag">${icon(memory.kind)}${word('kind', memory.kind)}</span>
        ${memory.subject && html`<span class="tag">${icon('personas')}${called(memory.subject)}</span>`}
        ${memory.pinned && html`<span class="tag pinned">${icon('pin')}${t('memory.pinned')}</span>`}
        ${status}
        <span class="quiet">${day(memory.createdAt)}</span>
      </p>
    </article>`;
}
