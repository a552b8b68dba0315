// The forgetting curve: how a memory was and will be remembered. Past solid, future dashed; named bands for
// vividness; a bead for every telling; the floor that feeling keeps; and a hand that moves through time.

import { between, floorOf, salienceAt } from '../lib/decay.js';
import { html, svg } from '../lib/html.js';
import { t } from '../lib/text.js';
import { day, shortDay, year } from '../lib/time.js';
import { View } from '../lib/view.js';
import { vividnessOf } from './vividness.js';

const BANDS = [['vivid', 1, 0.75], ['moderate', 0.75, 0.4], ['faded', 0.4, 0]];
const TALL = 340;
const EDGE = { top: 30, right: 62, bottom: 34, left: 16 };
let drawn = 0;

class Curve extends View {
  begin() {
    this.id ||= `curve-${++drawn}`;
    this.watch = new ResizeObserver(() => this.width !== this.clientWidth && this.redraw());
    this.watch.observe(this);
    this.redraw();
  }

  end() {
    this.watch.disconnect();
  }

  /** `data`: { memory, decay, rehearsals, points }; `at`: the moment the hand points to; `told`: what if it were told then. */
  show(data, at, told) {
    Object.assign(this, { data, at, told });
    if (this.isConnected) this.redraw();
  }

  redraw() {
    if (!this.data || !this.clientWidth) return;
    this.width = this.clientWidth;
    this.draw(picture(this));
  }
}

function picture({ data, at, told, width, id }) {
  const { memory, decay, rehearsals, points } = data;
  const from = +new Date(points[0].at);
  const until = +new Date(points.at(-1).at);
  const x = (time) => EDGE.left + ((+new Date(time) - from) / (until - from)) * (width - EDGE.left - EDGE.right);
  const y = (value) => EDGE.top + (1 - value) * (TALL - EDGE.top - EDGE.bottom);
  const now = Date.now();
  const here = { at: now, salience: between(points, now, (p) => p.salience), details: memory.details.map((_, n) => between(points, now, (p) => p.details[n])) };
  const past = [...points.filter((p) => +new Date(p.at) < now), here];
  const future = [here, ...points.filter((p) => +new Date(p.at) >= now)];
  const plot = { x, y, width, from, until, now };
  return html`
    <svg class="curve" viewBox=${`0 0 ${width} ${TALL}`} role="img" aria-label=${t('curve.label')}>
      <defs>
        <linearGradient id=${`${id}-ink`} gradientUnits="userSpaceOnUse" x1=${EDGE.left} x2=${width - EDGE.right} y1="0" y2="0">${inkStops(points, from, until)}</linearGradient>
        <linearGradient id=${`${id}-glow`} x1="0" y1="0" x2="0" y2="1"><stop offset="0" class="glow-on" /><stop offset="1" class="glow-off" /></linearGradient>
        <pattern id=${`${id}-gone`} width="7" height="7" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><rect width="1" height="7" class="gone-line" /></pattern>
      </defs>
      ${bands(plot)}
      ${months(plot)}
      ${floorLine(plot, floorOf(memory))}
      <path class="under" fill=${`url(#${id}-glow)`} d=${`${path(points, x, (p) => y(p.salience))}L${x(until)} ${y(0)}L${x(from)} ${y(0)}Z`} />
      ${memory.details.map((_, n) => svg`<path class="detail" style=${{ '--n': n }} d=${path(points, x, (p) => y(p.details[n]))} />`)}
      <path class="past" stroke=${`url(#${id}-ink)`} d=${path(past, x, (p) => y(p.salience))} />
      <path class="future" stroke=${`url(#${id}-ink)`} d=${path(future, x, (p) => y(p.salience))} />
      ${told ? whatIf(plot, memory, at) : null}
      ${retention(plot, decay.retentionEndsAt, id)}
      ${today(plot)}
      ${rehearsals.filter((r) => +new Date(r.at) >= from).map((r) => telling(plot, r, between(points, +new Date(r.at) + 1, (p) => p.salience)))}
      ${decay.crossings.filter((c) => c.detail === undefined && +new Date(c.at) < until).map((c) => crossing(plot, c, points))}
      ${hand(plot, at, between(points, at, (p) => p.salience))}
    </svg>`;
}

const path = (points, x, y) => points.map((p, n) => `${n ? 'L' : 'M'}${x(p.at).toFixed(1)} ${y(p).toFixed(1)}`).join('');

/** The ink of the line runs out as the memory does. */
function inkStops(points, from, until) {
  const every = Math.max(1, Math.floor(points.length / 24));
  return points.filter((_, n) => n % every === 0).map((p) => svg`<stop class=${vividnessOf(p.salience)} offset=${(+new Date(p.at) - from) / (until - from)} stop-opacity=${(0.45 + 0.55 * p.salience).toFixed(2)} />`);
}

const bands = ({ y, width }) => BANDS.map(([name, top, bottom]) => svg`
  <g class=${['band', name]}>
    <rect x=${EDGE.left} width=${width - EDGE.left - EDGE.right} y=${y(top)} height=${y(bottom) - y(top)} />
    <text x=${width - EDGE.right + 9} y=${(y(top) + y(bottom)) / 2 + 4}>${t(`vividness.${name}`)}</text>
  </g>`);

/** Ticks by week, month or year, whichever leaves room for their names. */
function months({ x, y, from, until, width }) {
  const days = (until - from) / 86_400_000;
  const least = days / (width / 92);
  const step = [7, 14, 30.44, 61, 91.3, 182.6, 365.25, 730.5, 1826].find((length) => length >= least) ?? 3652;
  const ticks = [];
  for (let at = from + step * 43_200_000; at < until - 1; at += step * 86_400_000) ticks.push(at);
  return ticks.map((at) => svg`<g class="tick"><line x1=${x(at)} x2=${x(at)} y1=${y(1)} y2=${y(0)} /><text x=${x(at)} y=${TALL - 12} text-anchor="middle">${step > 300 ? year(at) : shortDay(at)}</text></g>`);
}

const floorLine = ({ x, y, from, until }, floor) =>
  floor > 0.01 && svg`<g class="floor"><line x1=${x(from)} x2=${x(until)} y1=${y(floor)} y2=${y(floor)} /><text x=${x(from) + 8} y=${y(floor) + 15}>${t('curve.floor', { value: floor.toFixed(2) })}</text></g>`;

const today = ({ x, y, now, from, until, width }) => {
  if (now <= from || now >= until) return null;
  const side = x(now) > width - 70 ? 'end' : x(now) < 50 ? 'start' : 'middle';
  return svg`<g class="today"><line x1=${x(now)} x2=${x(now)} y1=${y(1) - 6} y2=${y(0)} /><text x=${x(now)} y="16" text-anchor=${side}>${t('curve.today')}</text></g>`;
};

const telling = ({ x, y }, rehearsal, value) => svg`
  <g class="telling"><title>${t('curve.told', { day: day(rehearsal.at) })}</title>
    <line x1=${x(rehearsal.at)} x2=${x(rehearsal.at)} y1=${y(0)} y2=${y(0) + 7} /><circle cx=${x(rehearsal.at)} cy=${y(value)} r="4.5" /></g>`;

const crossing = ({ x, y }, { at, what }, points) => {
  const value = between(points, at, (p) => p.salience);
  return svg`<g class="crossing"><title>${t(`crossing.${what}`)}: ${day(at)}</title><circle cx=${x(at)} cy=${y(value)} r="3.5" /></g>`;
};

function retention({ x, y, until, width }, ends, id) {
  if (!ends || +new Date(ends) >= until) return null;
  return svg`<g class="ends"><rect x=${x(ends)} width=${width - EDGE.right - x(ends)} y=${y(1)} height=${y(0) - y(1)} fill=${`url(#${id}-gone)`} /><line x1=${x(ends)} x2=${x(ends)} y1=${y(1)} y2=${y(0)} /><text x=${x(ends) - 7} y=${y(0) - 8} text-anchor="end">${t('curve.deleted', { day: shortDay(ends) })}</text></g>`;
}

function whatIf({ x, y, until }, memory, at) {
  const start = +new Date(at);
  const points = Array.from({ length: 60 }, (_, n) => start + ((until - start) * n) / 59);
  const told = (time) => salienceAt(memory, time, start, 1);
  return svg`<g class="what-if"><line x1=${x(start)} x2=${x(start)} y1=${y(salienceAt(memory, start))} y2=${y(told(start))} /><path d=${path(points.map((time) => ({ at: time })), x, (p) => y(told(p.at)))} /></g>`;
}

const hand = ({ x, y }, at, value) => svg`<g class=${['hand', vividnessOf(value)]}><line x1=${x(at)} x2=${x(at)} y1=${y(1)} y2=${y(0)} /><circle class="halo" cx=${x(at)} cy=${y(value)} r="13" /><circle cx=${x(at)} cy=${y(value)} r="6" /></g>`;

customElements.define('sh-curve', Curve);
