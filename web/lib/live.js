// Tells the screens when something of a persona was written, by /v1/events.

export const live = new EventTarget();
let source = null;

export function follow() {
  source?.close();
  source = new EventSource('/v1/events');
  source.addEventListener('changed', (event) => {
    live.dispatchEvent(new CustomEvent('changed', { detail: JSON.parse(event.data) }));
  });
}

export function unfollow() {
  source?.close();
  source = null;
}

/** Calls `act` soon after `persona` changed; a burst of changes counts once. */
export function whenChanged(view, persona, act) {
  let waiting = 0;
  view.listen(live, 'changed', (event) => {
    if (persona && event.detail.persona !== persona) return;
    clearTimeout(waiting);
    waiting = setTimeout(act, 150);
  });
}
