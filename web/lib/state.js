// What the whole page knows: who is here, the personas, and the reader's own choices.

import { get } from './api.js';
import { choice, stored } from './choice.js';
import { t } from './text.js';

export { choice, choose } from './choice.js';

export const state = { me: null, personas: [] };
// What is typed and not sent, and what else a visit keeps in this tab; it goes when the visit ends.
const VISIT = 'selfhood.visit.';
const NEEDS = { people: 'admin', forget: 'erase', audit: 'audit', health: 'admin', import: 'admin' };

export async function loadState() {
  const [me, { personas }] = await Promise.all([get('/v1/me'), get('/personas')]);
  Object.assign(state, { me, personas });
}

export const may = (scope) => state.me?.scopes.includes(scope) ?? false;
export const allowed = (screen) => !NEEDS[screen] || may(NEEDS[screen]);
export const personaNamed = (name) => state.personas.find((persona) => persona.name === name || persona.id === name);
export const nameOf = (persona) => personaNamed(persona)?.displayName ?? persona;
export const currentPersona = () => personaNamed(choice('persona')) ?? state.personas[0];
/** The reader is spoken to; everyone else goes by their name. */
export const called = (subject) => (subject === 'owner' && state.me?.speaks === 'owner' ? t('people.you') : subject);
export const knownPeople = async () => (may('admin') ? get('/v1/subjects').then(({ data }) => data, () => []) : []);

/** Something to remember until the tab is closed or its reader signs out, such as a draft. */
export function keepForVisit(name, value) {
  stored(() => (value ? sessionStorage.setItem(VISIT + name, value) : sessionStorage.removeItem(VISIT + name)));
}

export const keptForVisit = (name) => stored(() => sessionStorage.getItem(VISIT + name));

const allKept = (begins) => stored(() => Object.keys(sessionStorage).filter((name) => name.startsWith(VISIT + begins))) ?? [];
export const isKeptForVisit = (begins) => allKept(begins).length > 0;
export const forgetVisit = () => allKept('').forEach((name) => sessionStorage.removeItem(name));
