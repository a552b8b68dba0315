// A persona's face: its picture, its emoji, or the first letter of its name on a colour of its own.

import { html, t } from '../lib/page.js';

const EMOJI = ['🌿', '🦉', '⚓', '🎭', '📚', '🛰️', '🐈', '☕'];

export function face(persona, size = '') {
  const name = persona?.displayName ?? '';
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?';
  const shown = persona?.picture?.startsWith('data:image/') ? html`<img src=${persona.picture} alt="" />` : persona?.emoji || letter;
  return html`<span class=${['face', size, !persona?.picture && !persona?.emoji && 'letter']} style=${{ '--hue': hue(name) }} aria-hidden="true">${shown}</span>`;
}

/** The same name always has the same colour. */
const hue = (name) => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);

/** Takes one emoji: what is no emoji isn't taken, and another one replaces the first. */
export function emojiField(id, value = '') {
  const one = ({ target }) => (target.value = [...new Intl.Segmenter().segment(target.value)].findLast(({ segment }) => /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(segment))?.segment ?? '');
  return html`<div class="field"><label for=${id}>${t('welcome.emoji')}</label><input id=${id} name="emoji" class="short" autocomplete="off" list="emoji-list" .value=${value} @input=${one} /><datalist id="emoji-list">${EMOJI.map((each) => html`<option value=${each}></option>`)}</datalist></div>`;
}
