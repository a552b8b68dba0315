// What every component and screen has in common: it draws itself anew and keeps the reader's place.

import { nodesOf } from './html.js';

export class View extends HTMLElement {
  connectedCallback() {
    this.leaving = new AbortController();
    this.begin?.();
  }

  disconnectedCallback() {
    this.leaving.abort();
    this.end?.();
  }

  /** Replaces what is shown. The field that had the focus keeps it, by its id. */
  draw(content) {
    const focused = this.contains(document.activeElement) ? document.activeElement : null;
    const place = focused?.id && { id: focused.id, from: caret(focused, 'selectionStart'), to: caret(focused, 'selectionEnd') };
    this.replaceChildren(...nodesOf(content));
    const again = place && document.getElementById(place.id);
    if (!again) return;
    again.focus({ preventScroll: true });
    if (place.from !== null && again.setSelectionRange) again.setSelectionRange(place.from, place.to);
  }

  /** Listens for as long as the component is shown. */
  listen(target, event, act) {
    target.addEventListener(event, act, { signal: this.leaving.signal });
  }
}

function caret(field, name) {
  try {
    return field[name] ?? null;
  } catch {
    return null;
  }
}
