// Every word the page says, from one file per language. t('chat.send') or t('memory.told', { n: 3 }).

let words = {};

export async function loadTexts(language = 'en') {
  const answer = await fetch(new URL(`../text/${language}.json`, import.meta.url));
  words = await answer.json();
}

export function t(key, given = {}) {
  const entry = key.split('.').reduce((at, part) => at?.[part], words);
  const text = typeof entry === 'object' && entry ? entry[given.n === 1 ? 'one' : 'other'] : entry;
  if (typeof text !== 'string') return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => given[name] ?? whole);
}

/** Whether there are words for it; enums of the server may grow before we do. */
export function word(group, name) {
  const text = t(`${group}.${name}`);
  return text === `${group}.${name}` ? String(name).replaceAll('-', ' ') : text;
}
