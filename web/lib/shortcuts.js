// Keys that do something anywhere. ⌘K always works; single letters can be switched off (WCAG 2.1.4).

import { choice } from './state.js';

export const SHORTCUTS = [
  { keys: 'g c', to: 'chat' },
  { keys: 'g m', to: 'memories' },
  { keys: 'g t', to: 'timeline' },
  { keys: 'g f', to: 'files' },
  { keys: 'g a', to: 'audit' },
  { keys: 'g p', to: 'people' },
  { keys: '?', to: 'help' },
];

let pending = '';

/** Calls `act(shortcut)` for letters typed outside of fields, and `palette()` for ⌘K or Ctrl-K. */
export function startShortcuts(act, palette) {
  addEventListener('keydown', (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      return palette();
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || !choice('shortcuts', true)) return;
    pending = `${pending} ${event.key}`.trim().split(' ').slice(-2).join(' ');
    const found = SHORTCUTS.find(({ keys }) => keys === pending || keys === event.key);
    if (!found) return;
    event.preventDefault();
    pending = '';
    act(found);
  });
}

const isTyping = (target) => Boolean(target.closest?.('input, textarea, select, [contenteditable], dialog'));
