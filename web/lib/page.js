// What nearly every screen and part is written with, from one place.

export { events, get, patch, path, post, postOnce, put, Refused, remove, sentence } from './api.js';
export { check, field, linesOf } from './field.js';
export { html, nodesOf, svg } from './html.js';
export { icon } from './icon.js';
export { follow, live, unfollow, whenChanged } from './live.js';
export { adjust, ask, go, OF_ALL, OF_PERSONA, router, to, whereAmI } from './router.js';
export { called, choice, choose, currentPersona, forgetVisit, keepForVisit, keptForVisit, knownPeople, loadState, may, nameOf, personaNamed, state } from './state.js';
export { button, fact, head, hint, note, submit } from './pieces.js';
export { decimal, hasWord, language, LANGUAGES, setLanguage, t, word } from './text.js';
export { addDays, clock, date, day, daysBetween, distance, moment, shortDay, year } from './time.js';
export { refill, View } from './view.js';
