// Moments as people say them.

const DAY = 86_400_000;
const language = document.documentElement.lang || 'en';
const formats = new Map();

function format(options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options));
  return formats.get(key);
}

const dayWith = (month) => (at) => format({ day: 'numeric', month, ...(isThisYear(at) ? {} : { year: 'numeric' }) }).format(new Date(at));
export const day = dayWith('long');
export const shortDay = dayWith('short');
export const date = (at) => format({ day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(at));
export const moment = (at) => format({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }).format(new Date(at));
export const clock = (at) => format({ hour: '2-digit', minute: '2-digit' }).format(new Date(at));
export const year = (at) => new Date(at).getFullYear();

/** "in 12 days", "3 weeks ago". */
export function distance(at, now = Date.now()) {
  const days = (new Date(at) - now) / DAY;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of [['year', 365.25], ['month', 30.44], ['week', 7], ['day', 1], ['hour', 1 / 24]])
    if (Math.abs(days) >= length * (unit === 'day' ? 0.8 : 1.5)) return relative.format(Math.round(days / length), unit);
  const minutes = Math.round(days * 1440);
  return relative.format(minutes, minutes ? 'minute' : 'second');
}

export const addDays = (at, days) => new Date(new Date(at).getTime() + days * DAY).toISOString();
export const daysBetween = (from, until) => (new Date(until) - new Date(from)) / DAY;
const isThisYear = (at) => new Date(at).getFullYear() === new Date().getFullYear();
