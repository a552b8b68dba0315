// The address: screens by path, what they show by query. Back means back.

export const OF_PERSONA = ['chat', 'memories', 'timeline', 'files', 'distillation', 'audit'];
export const OF_ALL = ['people', 'forget', 'personas', 'health', 'settings', 'help'];
const SCREENS = [
  ...['sign-in', 'welcome', ...OF_ALL].map((name) => [`/ui/${name}`, name]),
  ['/ui/people/{person}', 'person'],
  ...['import', ...OF_PERSONA].map((name) => [`/ui/p/{persona}/${name}`, name]),
  ['/ui/p/{persona}/memories/{memory}', 'memory'],
];
export const router = new EventTarget();

export function whereAmI() {
  const parts = location.pathname.split('/').map(decoded);
  for (const [pattern, screen] of SCREENS) {
    const wanted = pattern.split('/');
    if (wanted.length !== parts.length) continue;
    const names = {};
    const fits = wanted.every((part, n) => (part[0] === '{' ? (names[part.slice(1, -1)] = parts[n]) : part === parts[n]));
    if (fits) return { screen, path: location.pathname, names, query: Object.fromEntries(new URLSearchParams(location.search)) };
  }
  return { screen: location.pathname.replace(/\/$/, '') === '/ui' ? 'home' : 'lost', path: location.pathname, names: {}, query: {} };
}

export function go(address, { replace = false } = {}) {
  if (address === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  router.dispatchEvent(new CustomEvent('moved', { detail: { by: replace ? 'replace' : 'link' } }));
}

/** Changes the query of where one is; null takes a word out. */
export function ask(changes, options) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '' || value === false) query.delete(name);
    else query.set(name, value === true ? '1' : value);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : ''), options);
}

/** The same without a step to go back to. */
export const adjust = (changes) => ask(changes, { replace: true });

export const to = (persona, screen, ...rest) => ['/ui/p', persona, screen, ...rest].map((part, n) => (n ? encodeURIComponent(part) : part)).join('/');

export function startRouter() {
  addEventListener('popstate', () => router.dispatchEvent(new CustomEvent('moved', { detail: { by: 'back' } })));
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="/ui"]');
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.target || link.hasAttribute('download')) return;
    event.preventDefault();
    go(link.getAttribute('href'));
  });
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
