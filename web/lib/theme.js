// Light, dark, or as the system says.

import { choice, choose } from './choice.js';

export const THEMES = ['system', 'light', 'dark'];

export function applyTheme(theme = choice('theme', 'system')) {
  document.documentElement.dataset.theme = theme;
  // The server sends the next page in these colours, so that no night begins white.
  document.cookie = `selfhood-theme=${theme}; path=/ui; max-age=31536000; samesite=strict`;
}

export function setTheme(theme) {
  choose('theme', theme);
  applyTheme(theme);
}
