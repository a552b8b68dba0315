// What the whole page knows: who is here, the personas, and the reader's own choices.

import { get } from './api.js';

export const state = { me: null, personas: [] };

export async function loadState() {
  state.me = await get('/v1/me');
  state.personas = (await get('/personas')).personas;
}

export const may = (scope) => state.me?.scopes.includes(scope) ?? false;
export const personaNamed = (name) => state.personas.find((persona) => persona.name === name || persona.id === name);

/** Choices stay in this browser, and hold nothing of anybody's memories. */
export function choice(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`selfhood.${name}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function choose(name, value) {
  try {
    localStorage.setItem(`selfhood.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
