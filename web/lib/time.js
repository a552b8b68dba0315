// Moments as people say them.

const DAY = 86_400_000;
const language = document.documentElement.lang || 'en';

/** Writes moments with `options`; what writes them is made once. */
const as = (options) => {
  let made;
  return (at) => (made ??= new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options)).format(new Date(at));
};

const dayWith = (month) => {
  const [plain, dated] = [as({ day: 'numeric', month }), as({ day: 'numeric', month, year: 'numeric' })];
  return (at) => (year(at) === year(Date.now()) ? plain : dated)(at);
};

export const day = dayWith('long');
export const shortDay = dayWith('short');
export const date = as({ day: 'numeric', month: 'long', year: 'numeric' });
export const moment = as({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
export const clock = as({ hour: '2-digit', minute: '2-digit' });
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
