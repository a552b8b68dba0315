// Rows and columns on a wide screen; on a narrow one each row stands by itself, every value under its name,
// unless it has three columns or only numbers, which fit.

import { html } from '../lib/html.js';

export const number = (text) => ({ text, isNumber: true });
/** A column of things to do, whose name only a screen reader needs. */
export const acts = (text) => ({ text, isUnseen: true });

/** The first cell names the row. Roles are explicit because narrow screens change the layout. */
export function table(label, columns, rows) {
  const all = columns.map((column) => (typeof column === 'string' ? { text: column } : column));
  const cell = (content, n) => {
    const { text, isNumber, isUnseen } = all[n];
    if (n === 0) return html`<th scope="row" role="rowheader" class=${isNumber && 'number'}>${content}</th>`;
    return html`<td role="cell" class=${isNumber && 'number'} data-label=${isUnseen ? null : text}>${content}</td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table role="table" class=${all.length > 3 && !all.slice(1).every(({ isNumber }) => isNumber) && 'rows'}>
    <thead role="rowgroup"><tr role="row">${all.map(({ text, isNumber, isUnseen }) => html`<th scope="col" role="columnheader" class=${isNumber && 'number'}>${isUnseen ? html`<span class="unseen">${text}</span>` : text}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map((cells) => html`<tr role="row">${cells.map(cell)}</tr>`)}</tbody></table></div>`;
}
