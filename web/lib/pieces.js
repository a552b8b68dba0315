// Small pieces that nearly every screen has.

import { html } from './html.js';
import { icon } from './icon.js';
import { t } from './text.js';

/** A button that says `text` and does `act`; `look` is its class, `sign` an icon before the word. */
export const button = (text, act, look, sign) => html`<button class=${look || null} @click=${act}>${sign && icon(sign)}${t(text)}</button>`;

export const linkTo = (text, href, look = '', sign) => html`<a class=${`button ${look}`} href=${href}>${sign && icon(sign)}${t(text)}</a>`;

/** A button that is only a sign; its name is for those who can't see it, or who wait over it. */
export const signButton = (sign, label, act, look) => html`<button class=${['bare', look]} aria-label=${label} title=${label} @click=${act}>${icon(sign)}</button>`;

/** A word or two about something, with a sign before it. */
export const tag = (text, look, sign) => html`<span class=${['tag', look]}>${sign && icon(sign)}${text}</span>`;

export const row = (...content) => html`<div class="row">${content}</div>`;

export const section = (title, content, look = 'stack') => html`<section class=${look}><h2>${title}</h2>${content}</section>`;

/** Controls that belong together, under what they are called. */
export const group = (legend, content, look = 'stack') => html`<fieldset class=${look}><legend class="label">${legend}</legend>${content}</fieldset>`;

/** Where a refusal is shown, and read out. */
export const told = (content) => html`<div class="told" role="alert">${content}</div>`;

export const fold = (summary, content, look) => html`<details class=${look}><summary>${summary}</summary>${content}</details>`;

export const submit = (text, look = 'main') => html`<button type="submit" class=${look}>${t(text)}</button>`;

/** What stands on top of a screen: its title, a line about it, and what can be done. */
export const head = (title, about, acts) => html`<header><div><h1>${title}</h1><p>${about}</p></div>${acts}</header>`;

export const muted = (text, look = 'small') => html`<span class=${['quiet', look]}>${text}</span>`;

/** Something to be noticed; `look` says how much. */
export const note = (text, look) => html`<p class=${['note', look]}>${text}</p>`;

/** A name and its value in a list of such pairs; nothing without a value. */
export const fact = (name, value) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

export const hint = (text, more, given) => html`<p class=${['quiet', more]}>${t(text, given)}</p>`;
