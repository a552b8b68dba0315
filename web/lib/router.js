// The address: screens by path, what they show by query. Back means back.

const SCREENS = [
  ['/ui/sign-in', 'sign-in'],
  ['/ui/welcome', 'welcome'],
  ['/ui/personas', 'personas'],
  ['/ui/people', 'people'],
  ['/ui/people/{person}', 'person'],
  ['/ui/forget', 'forget'],
  ['/ui/help', 'help'],
  ['/ui/settings', 'settings'],
  ['/ui/health', 'health'],
  ['/ui/p/{persona}/chat', 'chat'],
  ['/ui/p/{persona}/memories', 'memories'],
  ['/ui/p/{persona}/memories/{memory}', 'memory'],
  ['/ui/p/{persona}/import', 'import'],
  ['/ui/p/{persona}/timeline', 'timeline'],
  ['/ui/p/{persona}/files', 'files'],
  ['/ui/p/{persona}/distillation', 'distillation'],
  ['/ui/p/{persona}/audit', 'audit'],
];

export const OF_PERSONA = ['chat', 'memories', 'timeline', 'files', 'distillation', 'audit'];
export const OF_ALL = ['people', 'forget', 'personas', 'health', 'settings', 'help'];
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
