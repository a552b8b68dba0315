// What would go, Place by Place, and what else names the person.

import { html } from '../lib/html.js';
import { t, word } from '../lib/text.js';

export function placesTable(places) {
  if (!places.length) return html`<p class="note">${t('forget.nothing')}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t('forget.places')}><table><caption class="unseen">${t('forget.places')}</caption>
    <thead><tr><th scope="col">${t('forget.place')}</th><th scope="col">${t('nav.persona')}</th><th scope="col">${t('forget.method')}</th><th scope="col" class="number">${t('forget.own')}</th><th scope="col" class="number">${t('forget.proposed')}</th></tr></thead>
    <tbody>${places.map((place) => html`<tr><th scope="row">${word('place', place.place.split(':').at(-1))} <code class="quiet small">${place.place}</code></th><td>${place.persona ?? ''}</td><td>${word('method', place.method)}</td><td class="number">${place.own}</td><td class="number">${place.proposed || ''}</td></tr>`)}</tbody></table></div>`;
}

/** With boxes where an operator decides; what can hardly mean anyone else is taken beforehand. */
export function proposalsTable(proposals, decides) {
  return html`<ul class="proposals">${proposals.map((one) => html`<li>
    ${decides ? html`<input type="checkbox" id=${`take-${one.number}`} name="take" value=${one.number} .checked=${one.telling} />` : null}
    <label for=${`take-${one.number}`}><span class="said">“${one.excerpt}”</span><span class="small quiet break">${word('method', one.method)} · ${one.place} · ${one.persona} · ${one.what}</span>${one.telling ? html`<span class="tag">${t('forget.telling')}</span>` : null}</label></li>`)}</ul>`;
}
