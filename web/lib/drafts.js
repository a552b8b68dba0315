// What was typed and not saved, for as long as the tab is open and its reader signed in.

import { events } from './api.js';

export const drafts = new Map();
events.addEventListener('signed-out', () => drafts.clear());
addEventListener('beforeunload', (event) => drafts.size && event.preventDefault());

/** Calls `save` on Ctrl+S or ⌘S, for as long as `view` is shown. */
export function saveByKey(view, save) {
  view.listen(window, 'keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey) return;
    event.preventDefault();
    save();
  });
}
