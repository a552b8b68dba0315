// What every component and screen has in common: it draws itself again and keeps the reader's place.

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

  draw(content) {
    refill(this, content);
  }

  find(selector) {
    return this.querySelector(selector);
  }

  listen(target, event, act) {
    target.addEventListener(event, act, { signal: this.leaving.signal });
  }
}

/** Gives what opens again the folds of `place` that are open now. */
export function openFolds(place) {
  const open = [...place.querySelectorAll('[open] > summary')].map((summary) => summary.textContent);
  return () => place.querySelectorAll('summary').forEach((summary) => (summary.parentNode.open ||= open.includes(summary.textContent)));
}

/** Replaces what `place` shows. What had the focus keeps it: by its id, or else by where it stood. */
export function refill(place, content) {
  const openAgain = openFolds(place);
  const focused = place.contains(document.activeElement) ? document.activeElement : place;
  const { id, selectionStart: from, selectionEnd: until } = focused;
  const steps = [];
  for (let at = focused; at !== place; at = at.parentElement) steps.unshift([...at.parentElement.children].indexOf(at));
  place.replaceChildren(...nodesOf(content));
  openAgain();
  if (focused === place) return;
  const again = document.getElementById(id) ?? standing(place, steps, focused);
  again?.focus({ preventScroll: true });
  if (Number.isInteger(from)) again?.setSelectionRange?.(from, until);
}

/** What stands where `focused` stood, or the nearest thing to it that can have the focus. */
function standing(place, steps, { tagName }) {
  const heading = /^H\d$/.test(tagName) && place.querySelector(tagName);
  if (heading) return Object.assign(heading, { tabIndex: -1 });
  let at = place;
  for (const step of steps) {
    if (!at.children[step]) break;
    at = at.children[step];
  }
  for (; at !== place; at = at.parentElement) {
    const found = at.matches(FOCUSABLE) ? at : at.querySelector(FOCUSABLE);
    if (found) return found;
  }
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary';
