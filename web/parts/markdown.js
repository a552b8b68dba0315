// Markdown as the server reads it: a tree of named elements and text, built node by node. Words without any markup are
// not sent at all.

import { post } from '../lib/api.js';

const TAGS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li', 'em', 'strong', 'del', 'a', 'hr', 'br', 'table', 'thead', 'tbody', 'tr', 'th', 'td']);
// Headings inside a text rank below those of the screen.
const LOWER = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6' };
const MARKUP = /[*_`#>|~[\]\\<&\n]|https?:|www\.|^\s*([-+]|\d+[.)])\s/;
/** How long a stream is read before it is shown again. */
const PAUSE = 70;

/** Fills `element` once it comes near the window, so that a long conversation opens at once; until then it shows `first`. */
export function fillWhenSeen(element, text, first) {
  element.replaceChildren(...((MARKUP.test(text) && first) || [plain(text)]));
  if (!MARKUP.test(text)) return;
  waiting.set(element, text);
  watcher.observe(element);
}

/** Shows a text that is still coming. `shown()` is called whenever more of it can be seen. */
export function streamInto(element, shown) {
  let text = '';
  let isBusy = false;
  let isOver = false;
  const step = async () => {
    isBusy = true;
    for (let seen = ''; !isOver && seen !== text; ) {
      seen = text;
      const nodes = MARKUP.test(seen) ? await read(seen).catch(() => [plain(seen)]) : [plain(seen)];
      if (isOver) break;
      element.replaceChildren(...nodes);
      shown();
      await new Promise((on) => setTimeout(on, PAUSE));
    }
    isBusy = false;
  };
  return {
    add(words) {
      text += words;
      if (!isBusy) step();
    },
    end() {
      isOver = true;
    },
  };
}

const waiting = new WeakMap();
const watcher = new IntersectionObserver(
  (seen) => seen.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => {
    watcher.unobserve(target);
    read(waiting.get(target)).then((nodes) => {
      target.replaceChildren(...nodes);
      target.dispatchEvent(new Event('filled', { bubbles: true }));
    }, () => target.replaceChildren(plain(waiting.get(target))));
  }),
  { rootMargin: '600px' },
);

const plain = (text) => Object.assign(document.createElement('p'), { textContent: text });
const read = async (text) => (await post('/v1/markdown', { text })).nodes.map(built);

function built(node) {
  if (node.kind === 'text') return document.createTextNode(node.text);
  if (!TAGS.has(node.tag)) return document.createTextNode('');
  const element = document.createElement(LOWER[node.tag] ?? node.tag);
  if (node.tag === 'a' && /^(https?:|mailto:)/i.test(node.href)) {
    element.href = node.href;
    element.rel = 'noreferrer noopener';
    element.target = '_blank';
  }
  element.append(...node.nodes.map(built));
  return element;
}
