// Templates to DOM nodes: html`<p class=${c}>${text}</p>`. The only file that knows how nodes are made.
//
// Text is always text: no value ever passes through a parser, so nothing that was said can become markup.
// In a template: @event=${f} listens (no form is ever sent by the browser itself), .property=${v} sets,
// ?attribute=${b} switches, ref=${f} hands the element over, style=${{ '--name': v }} sets custom properties (inline style is forbidden by the policy).

const VOID = ['br', 'img', 'input'];
const SVG = 'http://www.w3.org/2000/svg';
const HOLE = /\u0001(\d+)\u0001/;
const trees = new WeakMap();

export const html = (strings, ...values) => made(strings, values, null);
export const svg = (strings, ...values) => made(strings, values, SVG);

function made(strings, values, namespace) {
  let tree = trees.get(strings);
  if (!tree) trees.set(strings, (tree = parse(strings.reduce((all, part, n) => `${all}\u0001${n - 1}\u0001${part}`))));
  const nodes = tree.flatMap((node) => build(node, values, namespace));
  if (nodes.length === 1) return nodes[0];
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes);
  return fragment;
}

/** Nodes for anything a template may hold: nothing, text, a node, or a list of these. */
export function nodesOf(value) {
  if (value === null || value === undefined || value === false || value === true) return [];
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  return [value instanceof Node ? value : document.createTextNode(String(value))];
}

function parse(source) {
  const root = { children: [] };
  const open = [root];
  const pattern = /<\/([\w-]+)\s*>|<([\w-]+)((?:"[^"]*"|'[^']*'|[^>"'])*)>|([^<]+)/g;
  for (const [, closing, opening, attributes, text] of source.matchAll(pattern)) {
    const parent = open.at(-1);
    if (closing) open.pop();
    else if (opening) {
      const self = attributes.trimEnd().endsWith('/');
      const node = { tag: opening, attributes: attributesOf(self ? attributes.trimEnd().slice(0, -1) : attributes), children: [] };
      parent.children.push(node);
      if (!self && !VOID.includes(opening)) open.push(node);
    } else if (text && !/^\s*\n\s*$/.test(text)) parent.children.push({ text: text.replace(/\s+/g, ' ').split(HOLE) });
  }
  return root.children;
}

function attributesOf(source) {
  const pattern = /([@.?]?[\w:-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"']+))?/g;
  return [...source.matchAll(pattern)].map(([, name, value = '']) => ({ name, parts: value.replace(/^["']|["']$/g, '').split(HOLE) }));
}

function build(node, values, namespace) {
  if (node.text) return node.text.flatMap((part, n) => (n % 2 ? nodesOf(values[part]) : part ? [document.createTextNode(part)] : []));
  const own = node.tag === 'svg' ? SVG : namespace;
  const element = own ? document.createElementNS(own, node.tag) : document.createElement(node.tag);
  // Only a button that says so sends a form.
  if (node.tag === 'button') element.type = 'button';
  const later = [];
  for (const { name, parts } of node.attributes) {
    const whole = parts.length === 3 && !parts[0] && !parts[2];
    const value = whole ? values[parts[1]] : parts.map((part, n) => (n % 2 ? (values[part] ?? '') : part)).join('');
    if (name[0] === '.') later.push(() => (element[name.slice(1)] = value));
    else if (name === 'ref') later.push(() => value(element));
    else set(element, name, value);
  }
  element.append(...node.children.flatMap((child) => build(child, values, node.tag === 'foreignObject' ? null : own)));
  later.forEach((act) => act());
  return [element];
}

function set(element, name, value) {
  if (name[0] === '@') return void (value && element.addEventListener(name.slice(1), name === '@submit' ? (event) => (event.preventDefault(), value(event)) : value));
  if (name[0] === '?') return void element.toggleAttribute(name.slice(1), Boolean(value));
  if (name === 'style' && typeof value === 'object')
    return void Object.entries(value ?? {}).forEach(([property, it]) => element.style.setProperty(property, it));
  if (value === null || value === undefined || value === false) return;
  if (name === 'href' && !/^(\/(?!\/)|#|https?:|mailto:|blob:)/.test(value)) return;
  const text = Array.isArray(value) ? value.filter(Boolean).join(' ') : value === true ? '' : String(value);
  element.setAttribute(name, text);
}
