// The forgetting curve, with a hand that moves through time by pointer or by keys.

import { between, floorOf } from '../lib/decay.js';
import { html, t, View } from '../lib/page.js';
import { bands, crossings, detail, floorLine, hand, inkStops, line, retention, tellings, ticks, today, whatIf } from './curve-marks.js';

const TALL = 360;
const EDGE = { top: 46, right: 74, bottom: 34, left: 16 };
let drawn = 0;

class Curve extends View {
  begin() {
    this.id ||= `curve-${++drawn}`;
    this.watch = new ResizeObserver(() => this.width !== this.clientWidth && this.redraw());
    this.watch.observe(this);
    this.listen(this, 'pointerdown', (event) => this.grip(event));
    this.listen(this, 'pointermove', (event) => this.hasPointerCapture(event.pointerId) && this.pull(event));
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
    this.isDrawn = true;
  }

  /** The picture itself can be pulled, so that nobody has to aim for the slider. */
  grip(event) {
    if (event.button) return;
    this.setPointerCapture(event.pointerId);
    this.pull(event);
  }

  pull(event) {
    const part = (event.clientX - this.getBoundingClientRect().left - EDGE.left) / (this.width - EDGE.left - EDGE.right);
    this.dispatchEvent(new CustomEvent('pulled', { detail: Math.min(1, Math.max(0, part)) }));
  }
}

function picture({ data, at, told, width, id, isDrawn }) {
  const { memory, decay, rehearsals, points } = data;
  const plot = plotOf(points, width);
  const { x, y, from, until, now } = plot;
  const here = { at: now, salience: between(points, now, (p) => p.salience), details: memory.details.map((_, n) => between(points, now, (p) => p.details[n])) };
  const past = [...points.filter((p) => +new Date(p.at) < now), here];
  const future = [here, ...points.filter((p) => +new Date(p.at) >= now)];
  const weight = (p) => y(p.salience);
  const under = (part) => `${line(part, x, weight)}L${x(part.at(-1).at)} ${y(0)}L${x(part[0].at)} ${y(0)}Z`;
  return html`
    <svg class=${['curve', !isDrawn && 'first']} viewBox=${`0 0 ${width} ${TALL}`} role="img" aria-label=${t('curve.label')}>
      <defs>
        <linearGradient id=${`${id}-ink`} gradientUnits="userSpaceOnUse" x1=${x(from)} x2=${x(until)} y1="0" y2="0">${inkStops(points, from, until)}</linearGradient>
        <linearGradient id=${`${id}-glow`} gradientUnits="userSpaceOnUse" x1="0" x2="0" y1=${y(1)} y2=${y(0)}><stop offset="0" class="glow-on" /><stop offset="1" class="glow-off" /></linearGradient>
        <pattern id=${`${id}-gone`} width="7" height="7" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><rect width="1" height="7" class="gone-line" /></pattern>
        <clipPath id=${`${id}-tellable`}><rect x="0" width=${width} y="0" height=${y(0.1)} /></clipPath>
      </defs>
      ${bands(plot)}
      ${ticks(plot)}
      <path class="under" fill=${`url(#${id}-glow)`} d=${under(past)} />
      <path class="under ahead" fill=${`url(#${id}-glow)`} d=${under(future)} />
      ${floorLine(plot, floorOf(memory), decay.retentionEndsAt)}
      ${memory.details.map((_, n) => detail(plot, points, n, `url(#${id}-tellable)`))}
      ${retention(plot, decay.retentionEndsAt, `url(#${id}-gone)`)}
      ${today(plot, at)}
      <path class="aura" d=${line(past, x, weight)} />
      <path class="past" pathLength="1" stroke=${`url(#${id}-ink)`} d=${line(past, x, weight)} />
      <path class="future" stroke=${`url(#${id}-ink)`} d=${line(future, x, weight)} />
      ${told && whatIf(plot, memory, at)}
      ${tellings(plot, rehearsals, points)}
      ${crossings(plot, decay.crossings, points)}
      ${hand(plot, at, between(points, at, (p) => p.salience))}
    </svg>`;
}

function plotOf(points, width) {
  const [from, until] = [+new Date(points[0].at), +new Date(points.at(-1).at)];
  const right = width - EDGE.right;
  const x = (time) => EDGE.left + ((+new Date(time) - from) / (until - from)) * (right - EDGE.left);
  const y = (value) => EDGE.top + (1 - value) * (TALL - EDGE.top - EDGE.bottom);
  return { x, y, width, right, from, until, now: Date.now() };
}

customElements.define('sh-curve', Curve);
