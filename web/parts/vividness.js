// How clearly something is remembered: an icon, a word, a bar, and the weight of the ink.

import { decimal, html, icon, t } from '../lib/page.js';

export const vividnessOf = (salience) => (salience >= 0.75 ? 'vivid' : salience >= 0.4 ? 'moderate' : 'faded');

export const vividness = (name) => html`<span class=${['vividness', name]}>${icon(name)}${t(`vividness.${name}`)}</span>`;

export const meter = (value, label) => html`<span class=${['meter', vividnessOf(value)]} style=${{ '--value': value }} role="img" aria-label=${`${label} ${decimal(value)}`}></span>`;
