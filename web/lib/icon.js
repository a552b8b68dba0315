// Drawn signs, so that no meaning hangs on colour. Their lines are in signs.json.

import { html } from './html.js';

let lines = {};

export async function loadSigns() {
  const answer = await fetch(new URL('../signs.json', import.meta.url));
  lines = await answer.json();
}

/** A sign beside a word; a screen reader hears only the word. */
export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${lines[name] ?? lines.normal} /></svg>`;
