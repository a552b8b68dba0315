// A field of a form: its label, the control, and a hint below it.

import { html } from './html.js';

/**
 * A field to type in, of several lines with `rows` and with values to choose from as `suggested`; or a list to pick from,
 * with `options` as pairs of value and text. Everything else in `how` is set on the control.
 */
export function field(id, label, { hint, more, options, suggested, ...how } = {}) {
  const control = options ? html`<select>${options.map(option)}</select>` : how.rows ? html`<textarea></textarea>` : html`<input autocomplete="off" list=${suggested && `${id}-list`} />`;
  Object.assign(control, { id, name: id, ...how });
  return html`<div class=${['field', more]}><label for=${id}>${label}</label>${control}${suggested && html`<datalist id=${`${id}-list`}>${suggested.map((value) => option([value]))}</datalist>`}${hint && html`<p class="hint">${hint}</p>`}</div>`;
}

const option = ([value, text]) => html`<option value=${value}>${text}</option>`;

/** A box to tick; `how` is set on it, such as `type: 'radio'`. */
export const check = (text, how) => html`<label class="check">${Object.assign(html`<input type="checkbox" />`, how)}<span>${text}</span></label>`;

export const linesOf = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean);
