// What nearly every screen and part is written with, from one place.

export { entriesOf, events, get, patch, path, post, postOnce, put, Refused, remove, sentence } from './api.js';
export { download } from './download.js';
export { check, field, linesOf } from './field.js';
export { html, nodesOf, svg } from './html.js';
export { icon } from './icon.js';
export { follow, live, unfollow, whenChanged } from './live.js';
export { adjust, ask, go, OF_ALL, OF_PERSONA, router, to, whereAmI } from './router.js';
export { allowed, called, choice, choose, currentPersona, forgetVisit, keepForVisit, keptForVisit, knownPeople, loadState, may, nameOf, personaNamed, state } from './state.js';
export { button, fact, fold, group, head, hint, linkTo, muted, note, row, section, signButton, submit, tag, told } from './pieces.js';
export { decimal, hasWord, language, LANGUAGES, otherLanguages, setLanguage, t, word } from './text.js';
export { addDays, clock, date, day, daysBetween, distance, moment, shortDay, year } from './time.js';
export { refill, View } from './view.js';
export { empty } from '../parts/empty.js';
export { askFirst } from '../parts/dialog.js';
export { emojiField, face } from '../parts/face.js';
export { failed, Loading } from '../parts/loading.js';
export { acts, number, table } from '../parts/table.js';
export { tell, tellIn, tellRefusal, trying } from '../parts/toasts.js';
export { meter, vividness, vividnessOf } from '../parts/vividness.js';
