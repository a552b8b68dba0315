// Short messages that go by themselves, with undo where there is one. One polite live region.

import { html } from '../lib/html.js';
import { button, note } from '../lib/pieces.js';
import { View } from '../lib/view.js';

const STAYS = 8000;
let place = null;

class Toasts extends View {
  begin() {
    place = this;
    this.setAttribute('role', 'status');
    this.setAttribute('aria-live', 'polite');
  }

  show(text, undo) {
    // What is outside of an open dialog can't be reached, so the way back has to be inside.
    const host = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('sh-shell');
    if (this.parentElement !== host) host.append(this);
    const gone = () => toast.remove();
    const back = undo && button('common.undo', () => (gone(), undo()));
    const toast = html`<p class="toast"><span>${text}</span>${back}</p>`;
    this.replaceChildren(toast);
    const wait = setTimeout(gone, undo ? STAYS * 2 : STAYS);
    toast.addEventListener('focusin', () => clearTimeout(wait));
  }
}

customElements.define('sh-toasts', Toasts);

export const tell = (text, undo) => place?.show(text, undo);
/** Shows it where the reader looks, until something else is shown there. */
export const tellIn = (place, text) => (place?.replaceChildren(note(text, 'bad')), place?.scrollIntoView({ block: 'nearest' }));
export const tellRefusal = (refused) => tell(refused.message);

/** What `act` gives; a refusal is told, and gives nothing. */
export const trying = (act) => act().catch(tellRefusal);
