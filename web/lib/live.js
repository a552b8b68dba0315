// Tells the screens when something of a persona was written (`changed`), and when a model has said what is remembered
// of an exchange (`formed`), by /v1/events.
//
// A browser opens six connections to a server and no more, and a listener keeps one of them. So one tab
// listens for all of them, and a page that is put away lets go.

import { state } from './state.js';

export const live = new EventTarget();
let end = null;

export function follow() {
  unfollow();
  const name = `selfhood-events-${state.me.tenant}`;
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  const heard = ({ name, data }) => live.dispatchEvent(new CustomEvent(name, { detail: data }));
  channel.onmessage = (event) => heard(event.data);
  const listening = () => new Promise((done) => {
    const source = new EventSource('/v1/events');
    for (const name of ['changed', 'formed'])
      source.addEventListener(name, (event) => {
        const told = { name, data: JSON.parse(event.data) };
        heard(told);
        channel.postMessage(told);
      });
    leaving.signal.addEventListener('abort', () => (source.close(), done()));
  });
  // Without locks (a page that came over the network in clear), each tab listens by itself.
  if (navigator.locks) navigator.locks.request(name, { signal: leaving.signal }, listening).catch(() => {});
  else listening();
  end = () => (leaving.abort(), channel.close());
}

export function unfollow() {
  end?.();
  end = null;
}

addEventListener('pagehide', unfollow);
addEventListener('pageshow', (event) => event.persisted && state.me && follow());

/** Calls `act` soon after `persona` changed; a burst of changes counts once. */
export function whenChanged(view, persona, act) {
  let waiting = 0;
  view.listen(live, 'changed', (event) => {
    if (persona && event.detail.persona !== persona) return;
    clearTimeout(waiting);
    waiting = setTimeout(act, 150);
  });
}
