// Every word the page says, from one file per language. t('chat.send') or t('memory.times', { n: 3 }).

import { choice, choose } from './choice.js';

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

let words = {};
let decimals;

export function language() {
  const wished = [choice('language'), ...(navigator.languages ?? [])].map((name) => String(name).slice(0, 2));
  return wished.find((name) => name in LANGUAGES) ?? 'en';
}

export const otherLanguages = () => Object.entries(LANGUAGES).filter(([name]) => name !== language());

// Moments are written in it as soon as they are imported.
document.documentElement.lang = language();

export async function loadTexts() {
  const name = language();
  const answer = await fetch(new URL(`../text/${name}.json`, import.meta.url));
  words = await answer.json();
  decimals = new Intl.NumberFormat(name, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** A number with two decimals, after a comma where the language writes one. */
export const decimal = (value) => decimals.format(value);

/** Texts are read once, so another language starts the page again. */
export function setLanguage(name) {
  choose('language', name);
  location.reload();
}

export function t(key, given = {}) {
  const entry = key.split('.').reduce((at, part) => at?.[part], words);
  return filled(entry, given) ?? key;
}

/** The word for a value of the server, which may know more values than we do; then the value itself, readable. */
export const word = (group, name, given) => filled(words[group]?.[name], given) ?? String(name).replaceAll(/[-_]/g, ' ');

export const hasWord = (group, name) => filled(words[group]?.[name]) !== undefined;

function filled(entry, given = {}) {
  const text = typeof entry === 'object' && entry ? (given.n === 0 && entry.none) || entry[given.n === 1 ? 'one' : 'other'] : entry;
  return typeof text === 'string' ? text.replace(/\{(\w+)\}/g, (whole, name) => given[name] ?? whole) : undefined;
}
