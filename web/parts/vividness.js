// How clearly something is remembered: an icon, a word, a bar, and the weight of the ink.

import { html } from '../lib/html.js';
import { icon } from '../lib/icon.js';
import { decimal, t } from '../lib/text.js';

export const vividnessOf = (salience) => (salience >= 0.75 ? 'vivid' : salience >= 0.4 ? 'moderate' : 'faded');

export const vividness = (name) => html`<span class=${['vividness', name]}>${icon(name)}${t(`vividness.${name}`)}</span>`;

export const meter = (value, label) => html`<span class=${['meter', vividnessOf(value)]} style=${{ '--value': value }} role="img" aria-label=${`${label} ${decimal(value)}`}></span>`;
