// The curve as a sentence, as what will happen and when, and as a table.

import { between, salienceAt } from '../lib/decay.js';
import { addDays, date, day, decimal, distance, fold, hint, html, muted, number, t, table, vividnessOf } from '../lib/page.js';

const TELLABLE = 0.1;

export function sentence({ memory, points }, at) {
  const value = between(points, at, (p) => p.salience);
  const tellable = memory.details.filter((_, n) => between(points, at, (p) => p.details[n]) >= TELLABLE).length;
  const tense = Math.abs(new Date(at) - Date.now()) < 43_200_000 ? 'is' : new Date(at) < Date.now() ? 'was' : 'will';
  const details = memory.details.length ? ` ${t('curve.details', { some: tellable, all: memory.details.length })}` : '';
  return `${t(`curve.${tense}`, { day: date(at), vividness: t(`vividness.${vividnessOf(value)}`), value: decimal(value) })}${details}`;
}

export function whatIfSentence({ memory }, at) {
  const told = (days) => salienceAt(memory, addDays(at, days), at, 1);
  const now = vividnessOf(told(0));
  if (now === 'faded') return t('curve.then', { vividness: t('vividness.faded') });
  let [days, step] = [0, 512];
  for (; step >= 1; step /= 2) if (vividnessOf(told(days + step)) === now) days += step;
  return days > 1000 ? t('curve.then', { vividness: t(`vividness.${now}`) }) : t('curve.thenUntil', { vividness: t(`vividness.${now}`), day: date(addDays(at, days)) });
}

export function ahead({ memory, decay, points }) {
  const told = decay.crossings.map(({ at, what, detail }) => ({ at, text: detail === undefined ? t(`crossing.${what}`) : t('crossing.detail', { detail: memory.details[detail].content }) }));
  if (decay.retentionEndsAt) told.push({ at: decay.retentionEndsAt, text: t('crossing.deleted') });
  if (!told.length) return hint('crossing.nothing', '', { value: decimal(points.at(-1).salience) });
  const floor = decay.floor > 0.01 ? hint('curve.floorWords', 'small', { value: decimal(decay.floor) }) : null;
  return html`<ol class="ahead">${told.sort((a, b) => new Date(a.at) - new Date(b.at)).map(({ at, text }) => html`<li><span class="when">${day(at)}</span> <span class="grow">${text}</span> ${muted(distance(at))}</li>`)}</ol>${floor}`;
}

export function asTable({ memory, points }) {
  const every = Math.max(1, Math.floor(points.length / 14));
  const columns = [t('curve.day'), number(t('curve.weight')), t('curve.vividness'), ...memory.details.map(({ content }) => number(content))];
  const rows = points.filter((_, n) => n % every === 0).map((p) => [date(p.at), decimal(p.salience), t(`vividness.${vividnessOf(p.salience)}`), ...p.details.map(decimal)]);
  return fold(t('curve.table'), table(t('curve.label'), columns, rows), 'as-table');
}
