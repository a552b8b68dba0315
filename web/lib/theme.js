// Light, dark, or as the system says; early.js applies it when the page opens.

import { choose } from './choice.js';

export const THEMES = ['system', 'light', 'dark'];

export function setTheme(theme) {
  choose('theme', theme);
  document.documentElement.dataset.theme = theme;
}
