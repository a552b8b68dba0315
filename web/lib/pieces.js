// Small pieces that nearly every screen has.

import { html } from './html.js';
import { icon } from './icon.js';
import { t } from './text.js';

/** A button that says `text` and does `act`; `look` is its class, `sign` an icon before the word. */
export const button = (text, act, look, sign) => html`<button class=${look || null} @click=${act}>${sign && icon(sign)}${t(text)}</button>`;

/** A button that sends the form it is in. */
export const submit = (text, look = 'main') => html`<button type="submit" class=${look}>${t(text)}</button>`;

/** What stands on top of a screen: its title, a line about it, and what can be done. */
export const head = (title, about, acts) => html`<header><div><h1>${title}</h1><p>${about}</p></div>${acts}</header>`;

/** Something to be noticed; `look` says how much. */
export const note = (text, look) => html`<p class=${['note', look]}>${text}</p>`;

/** A name and its value in a list of such pairs; nothing without a value. */
export const fact = (name, value) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** A line beside the matter itself. */
export const hint = (text, more, given) => html`<p class=${['quiet', more]}>${t(text, given)}</p>`;
