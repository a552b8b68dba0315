// The curve in words and numbers: a sentence, what will happen and when, and a table of the same points.

import { between, salienceAt } from '../lib/decay.js';
import { html } from '../lib/html.js';
import { decimal, t } from '../lib/text.js';
import { addDays, date, day, distance } from '../lib/time.js';
import { vividnessOf } from './vividness.js';

const TELLABLE = 0.1;

/** One sentence for the moment the hand points to. */
export function sentence({ memory, points }, at) {
  const value = between(points, at, (p) => p.salience);
  const tellable = memory.details.filter((_, n) => between(points, at, (p) => p.details[n]) >= TELLABLE).length;
  const tense = Math.abs(new Date(at) - Date.now()) < 43_200_000 ? 'is' : new Date(at) < Date.now() ? 'was' : 'will';
  const details = memory.details.length ? ` ${t('curve.details', { some: tellable, all: memory.details.length })}` : '';
  return `${t(`curve.${tense}`, { day: date(at), vividness: t(`vividness.${vividnessOf(value)}`), value: decimal(value) })}${details}`;
}

/** What telling it at `at` would change. */
export function whatIfSentence({ memory }, at) {
  const told = (days) => salienceAt(memory, addDays(at, days), at, 1);
  const now = vividnessOf(told(0));
  if (now === 'faded') return t('curve.ifTold', { vividness: t('vividness.faded') });
  let [days, step] = [0, 512];
  for (; step >= 1; step /= 2) if (vividnessOf(told(days + step)) === now) days += step;
  return days > 1000 ? t('curve.ifTold', { vividness: t(`vividness.${now}`) }) : t('curve.ifToldUntil', { vividness: t(`vividness.${now}`), day: date(addDays(at, days)) });
}

/** What will happen, soonest first. */
export function ahead({ memory, decay, points }) {
  const told = decay.crossings.map(({ at, what, detail }) => ({ at, text: detail === undefined ? t(`crossing.${what}`) : t('crossing.detail', { detail: memory.details[detail].content }) }));
  if (decay.retentionEndsAt) told.push({ at: decay.retentionEndsAt, text: t('crossing.deleted') });
  if (!told.length) return html`<p class="quiet">${t('crossing.nothing', { value: decimal(points.at(-1).salience) })}</p>`;
  const floor = decay.floor > 0.01 ? html`<p class="small quiet">${t('curve.floorWords', { value: decimal(decay.floor) })}</p>` : null;
  return html`<ol class="ahead">${told.sort((a, b) => new Date(a.at) - new Date(b.at)).map(({ at, text }) => html`<li><span class="when">${day(at)}</span> <span class="grow">${text}</span> <span class="quiet small">${distance(at)}</span></li>`)}</ol>${floor}`;
}

export function table({ memory, points }) {
  const every = Math.max(1, Math.floor(points.length / 14));
  const rows = points.filter((_, n) => n % every === 0);
  return html`
    <details class="as-table"><summary>${t('curve.table')}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${t('curve.table')}><table>
        <caption class="unseen">${t('curve.label')}</caption>
        <thead><tr><th scope="col">${t('curve.day')}</th><th scope="col" class="number">${t('curve.weight')}</th><th scope="col">${t('curve.vividness')}</th>${memory.details.map((detail) => html`<th scope="col" class="number">${detail.content}</th>`)}</tr></thead>
        <tbody>${rows.map((p) => html`<tr><th scope="row">${date(p.at)}</th><td class="number">${decimal(p.salience)}</td><td>${t(`vividness.${vividnessOf(p.salience)}`)}</td>${p.details.map((value) => html`<td class="number">${decimal(value)}</td>`)}</tr>`)}</tbody>
      </table></div>
    </details>`;
}
