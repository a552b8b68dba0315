// Markdown as the server reads it: a tree of named elements and text, built node by node.

import { post } from '../lib/api.js';

const TAGS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'pre', 'code', 'ul', 'ol', 'li', 'em', 'strong', 'del', 'a', 'hr', 'br', 'table', 'thead', 'tbody', 'tr', 'th', 'td']);
// Headings inside a text rank below those of the screen.
const LOWER = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6' };

/** Fills `element` with `text`, at once as plain words and then as the server reads it. */
export async function fillWith(element, text) {
  element.textContent = text;
  const { nodes } = await post('/v1/markdown', { text });
  element.replaceChildren(...nodes.map(built));
}

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
