// Light, dark, or as the system says.

import { choice, choose } from './state.js';

export const THEMES = ['system', 'light', 'dark'];

export function applyTheme(theme = choice('theme', 'system')) {
  document.documentElement.dataset.theme = theme;
}

export function setTheme(theme) {
  choose('theme', theme);
  applyTheme(theme);
}
