// The law of memory, as crates/domain has it, so that a curve can answer "what if" without asking.

const DAY = 86_400_000;
const clamp = (value) => Math.min(1, Math.max(0, value));

function remaining(profile, days) {
  const t = Math.max(0, days) / profile.halfLifeDays;
  if (profile.function === 'none') return 1;
  return profile.function === 'power' ? (1 + 3 * t) ** -0.5 : 2 ** -t;
}

export const floorOf = (memory) => clamp(memory.decayProfile.valenceProtection * Math.abs(memory.emotionalValence));

/** What `memory` weighs at `at`, told `more` times besides and last at `last`. A pinned one keeps its weight. */
export function salienceAt(memory, at, last = memory.lastRehearsedAt, more = 0) {
  const { decayProfile: profile } = memory;
  const boost = Math.exp(Math.min(700, (memory.rehearsalCount + more) * Math.log(profile.rehearsalBoost)));
  return clamp(memory.salience * boost * remaining(profile, memory.pinned ? 0 : (new Date(at) - new Date(last)) / DAY) + floorOf(memory));
}

/** The value of a drawn curve between two of its points. */
export function between(points, at, pick) {
  const time = +new Date(at);
  const next = points.findIndex((point) => +new Date(point.at) >= time);
  if (next <= 0) return pick(points[next === 0 ? 0 : points.length - 1]);
  const [a, b] = [points[next - 1], points[next]];
  const part = (time - new Date(a.at)) / (new Date(b.at) - new Date(a.at) || 1);
  return pick(a) + (pick(b) - pick(a)) * part;
}
