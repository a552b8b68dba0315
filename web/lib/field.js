// A field of a form: its label, the control, and a hint below it.

import { html } from './html.js';

/** A control that is there already, whose id is `id`. */
export const labelled = (id, label, control, hint, more) => html`<div class=${['field', more]}><label for=${id}>${label}</label>${control}${hint ? html`<p class="hint">${hint}</p>` : null}</div>`;

/** A field to type in, of several lines with `rows`. Everything in `how` besides its hint and class is set on the control. */
export function field(id, label, { hint, more, ...how } = {}) {
  const control = how.rows ? html`<textarea></textarea>` : html`<input autocomplete="off" />`;
  return labelled(id, label, Object.assign(control, { id, name: id, ...how }), hint, more);
}
