// The marks of a forgetting curve.

import { between, salienceAt } from '../lib/decay.js';
import { day, decimal, shortDay, svg, t, vividnessOf, year } from '../lib/page.js';

const BANDS = [['vivid', 1, 0.75], ['moderate', 0.75, 0.4], ['faded', 0.4, 0]];
// So many lines can be told apart; more details share their look.
const LOOKS = 5;
const DAY = 86_400_000;
const NEAR = 64;
const NARROW = 560;

export const line = (points, x, y) => points.map((p, n) => `${n ? 'L' : 'M'}${x(p.at).toFixed(1)} ${y(p).toFixed(1)}`).join('');

/** The ink of the line runs out as the memory does. */
export function inkStops(points, from, until) {
  const every = Math.max(1, Math.floor(points.length / 24));
  return points.filter((_, n) => n % every === 0).map((p) => svg`<stop class=${vividnessOf(p.salience)} offset=${(+new Date(p.at) - from) / (until - from)} stop-opacity=${(0.5 + 0.5 * p.salience).toFixed(2)} />`);
}

const upright = (left, top, bottom) => svg`<line x1=${left} x2=${left} y1=${top} y2=${bottom} />`;

export const bands = ({ x, y, from, right }) => BANDS.map(([name, top, bottom]) => svg`
  <g class=${['band', name]}>
    <rect x=${x(from)} width=${right - x(from)} y=${y(top)} height=${y(bottom) - y(top)} />
    ${bottom > 0 && svg`<line x1=${x(from)} x2=${right + 6} y1=${y(bottom)} y2=${y(bottom)} /><text class="value" x=${right + 10} y=${y(bottom) + 4}>${decimal(bottom)}</text>`}
    <text x=${right + 10} y=${(y(top) + y(bottom)) / 2 + 4}>${t(`vividness.${name}`)}</text>
  </g>`);

export function ticks({ x, y, from, until, right }) {
  const least = (until - from) / DAY / ((right - x(from)) / 76);
  const step = [7, 14, 21, 30.44, 45, 61, 91.3, 182.6, 365.25, 730.5, 1826].find((length) => length >= least) ?? 3652;
  const found = [];
  for (let at = from + (step * DAY) / 2; at < until - 1; at += step * DAY) found.push(at);
  return found.filter((at) => x(at) < right - 24).map((at) => svg`<g class="tick">${upright(x(at), y(0), y(0) + 6)}<text x=${x(at)} y=${y(0) + 22} text-anchor="middle">${step > 300 ? year(at) : shortDay(at)}</text></g>`);
}

/** Faint below the point where it can no longer be told. */
export function detail({ x, y }, points, n, tellable) {
  const drawn = line(points, x, (p) => y(p.details[n]));
  return svg`<g class=${['detail', lookOf(n)]}><path class="lost" d=${drawn} /><path clip-path=${tellable} d=${drawn} /></g>`;
}

export const lookOf = (n) => `look-${n % LOOKS}`;

/** Its words stand below it where the line comes down to it, before the day of deletion. */
export function floorLine({ x, y, from, until, width }, floor, ends) {
  if (floor <= 0.01) return null;
  const right = x(ends && +new Date(ends) < until ? ends : until) - 8;
  return svg`<g class="floor"><line x1=${x(from)} x2=${x(until)} y1=${y(floor)} y2=${y(floor)} />${width < NARROW ? null : svg`<text x=${right} y=${y(floor) + 16} text-anchor="end">${t('curve.floor', { value: decimal(floor) })}</text>`}</g>`;
}

/** Its word makes room where the hand says the same. */
export function today({ x, y, now, from, until, width }, at) {
  if (now <= from || now >= until) return null;
  const side = x(now) > width - 70 ? 'end' : x(now) < 50 ? 'start' : 'middle';
  const isFree = Math.abs(x(at) - x(now)) > NEAR;
  return svg`<g class="today">${upright(x(now), y(1) - 8, y(0))}${isFree && svg`<text x=${x(now)} y=${y(1) - 16} text-anchor=${side}>${t('curve.today')}</text>`}</g>`;
}

export const tellings = ({ x, y, from }, rehearsals, points) => rehearsals.filter(({ at }) => +new Date(at) >= from).map(({ at }) => svg`
  <g class="telling"><title>${t('curve.mentioned', { day: day(at) })}</title>
    ${upright(x(at), y(0) - 7, y(0))}<circle cx=${x(at)} cy=${y(between(points, +new Date(at) + 1, (p) => p.salience))} r="5" /></g>`);

export function crossings({ x, y, until, right, width }, found, points) {
  let taken = 0;
  return found.filter(({ at, detail: one }) => one === undefined && +new Date(at) < until).map(({ at, what }) => {
    const [left, top] = [x(at), y(between(points, at, (p) => p.salience))];
    const isFree = left >= taken && left + NEAR < right;
    if (isFree) taken = left + NEAR * 1.2;
    return svg`<g class="crossing"><title>${t(`crossing.${what}`)}: ${day(at)}</title><circle cx=${left} cy=${top} r="4" />${isFree && svg`<text class="date" x=${left + 10} y=${top - (width < NARROW ? 8 : 22)}>${shortDay(at)}</text>${width < NARROW ? null : svg`<text x=${left + 10} y=${top - 8}>${t(`crossing.short.${what}`)}</text>`}`}</g>`;
  });
}

/** Where there is little room, its words run along the line. */
export function retention({ x, y, until, right, width }, ends, hatched) {
  if (!ends || +new Date(ends) >= until) return null;
  const [left, top] = width < NARROW ? [x(ends) - 6, y(1) + 8] : [x(ends) - 8, y(0) - 9];
  return svg`<g class="ends"><rect x=${x(ends)} width=${right - x(ends)} y=${y(1)} height=${y(0) - y(1)} fill=${hatched} />${upright(x(ends), y(1), y(0))}<text x=${left} y=${top} text-anchor="end" transform=${width < NARROW ? `rotate(-90 ${left} ${top})` : null}>${t('curve.deleted', { day: shortDay(ends) })}</text></g>`;
}

export function whatIf({ x, y, until }, memory, at) {
  const start = +new Date(at);
  const moments = Array.from({ length: 60 }, (_, n) => ({ at: start + ((until - start) * n) / 59 }));
  const told = (time) => salienceAt(memory, time, start, 1);
  return svg`<g class="what-if">${upright(x(start), y(salienceAt(memory, start)), y(told(start)))}<path d=${line(moments, x, (p) => y(told(p.at)))} /></g>`;
}

export function hand({ x, y, from, right }, at, value) {
  const name = Math.abs(new Date(at) - Date.now()) < DAY / 2 ? t('curve.today') : shortDay(at);
  const wide = name.length * 7 + 20;
  const left = Math.min(Math.max(x(at) - wide / 2, x(from) - 8), right + 60 - wide);
  return svg`<g class=${['hand', vividnessOf(value)]}>${upright(x(at), y(1) - 10, y(0))}
    <rect x=${left} y=${y(1) - 34} width=${wide} height="24" rx="12" /><text x=${left + wide / 2} y=${y(1) - 17.5} text-anchor="middle">${name}</text>
    <circle class="halo" cx=${x(at)} cy=${y(value)} r="15" /><circle cx=${x(at)} cy=${y(value)} r="6.5" /></g>`;
}
