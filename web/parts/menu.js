// A menu behind a button; Escape, a click elsewhere and leaving it close it.

import { html, icon } from '../lib/page.js';

export function menu(label, content) {
  const body = html`<div class="menu-body card stack" hidden></div>`;
  const button = html`<button class="bare round" aria-label=${label} title=${label} aria-expanded="false" @click=${() => show(body.hidden)}>${icon('options')}</button>`;
  const show = (isOpen) => {
    if (isOpen) body.replaceChildren(...[content(() => show(false))].flat().filter(Boolean));
    body.hidden = !isOpen;
    button.setAttribute('aria-expanded', isOpen ? 'true' : 'false');
  };
  const left = (event) => event.relatedTarget && !node.contains(event.relatedTarget) && show(false);
  const escaped = (event) => event.key === 'Escape' && !body.hidden && (event.stopPropagation(), show(false), button.focus());
  const node = html`<div class="menu" @focusout=${left} @keydown=${escaped}>${button}${body}</div>`;
  document.addEventListener('pointerdown', function elsewhere(event) {
    if (!node.isConnected) document.removeEventListener('pointerdown', elsewhere);
    else if (!node.contains(event.target)) show(false);
  });
  return node;
}
