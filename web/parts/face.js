// A persona's face: its picture, its emoji, or the first letter of its name.

import { field } from '../lib/field.js';
import { html } from '../lib/html.js';
import { t } from '../lib/text.js';

const EMOJI = ['🌿', '🦉', '⚓', '🎭', '📚', '🛰️', '🐈', '☕'];

export function face(persona, size = '') {
  const name = persona?.displayName ?? '';
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?';
  const shown = persona?.picture?.startsWith('data:image/') ? html`<img src=${persona.picture} alt="" />` : persona?.emoji || letter;
  return html`<span class=${['face', size, !persona?.picture && !persona?.emoji && 'letter']} style=${{ '--hue': hue(name) }} aria-hidden="true">${shown}</span>`;
}

const hue = (name) => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);

/** Takes one emoji: what is no emoji isn't taken, and another one replaces the first. */
export function emojiField(id, value = '') {
  const one = ({ target }) => (target.value = [...new Intl.Segmenter().segment(target.value)].findLast(({ segment }) => /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(segment))?.segment ?? '');
  return field(id, t('welcome.emoji'), { name: 'emoji', className: 'short', suggested: EMOJI, value, oninput: one });
}
