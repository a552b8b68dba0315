// What would go, Place by Place, and what else names the person.

import { html } from '../lib/html.js';
import { t, word } from '../lib/text.js';
import { number, table } from './table.js';

export function placesTable(places) {
  if (!places.length) return html`<p class="note">${t('forget.nothing')}</p>`;
  const rows = places.map((place) => [html`${word('place', place.place.split(':').at(-1))} <code class="quiet small break">${place.place}</code>`, place.persona ?? '', word('method', place.method), place.own, place.proposed || '']);
  return table(t('forget.places'), [t('forget.place'), t('nav.persona'), t('forget.method'), number(t('forget.own')), number(t('forget.proposed'))], rows);
}

/** With boxes where an operator decides; what can hardly mean anyone else is taken beforehand. */
export function proposalsTable(proposals, decides) {
  return html`<ul class="proposals">${proposals.map((one) => html`<li>
    ${decides ? html`<input type="checkbox" id=${`take-${one.number}`} name="take" value=${one.number} .checked=${one.telling} />` : null}
    <label for=${`take-${one.number}`}><span class="said">“${one.excerpt}”</span><span class="small quiet break">${word('method', one.method)} · ${one.place} · ${one.persona} · ${one.what}</span>${one.telling ? html`<span class="tag">${t('forget.telling')}</span>` : null}</label></li>`)}</ul>`;
}
