// What was typed and not saved. It stays in this tab until it is saved or its reader signs out; a visit that ends by
// itself takes nothing away.

import { button, html, t } from './page.js';
import { isKeptForVisit, keepForVisit, keptForVisit } from './state.js';

const UNSAVED = 'unsaved.';

export const draft = (name) => JSON.parse(keptForVisit(UNSAVED + name));
export const keepDraft = (name, value) => keepForVisit(UNSAVED + name, value && JSON.stringify(value));
export const draftNote = (discard) => html`<p class="note warn spread"><span>${t('files.draft')}</span>${button('files.discard', discard, 'small')}</p>`;
addEventListener('beforeunload', (event) => isKeptForVisit(UNSAVED) && event.preventDefault());

/** Calls `save` on Ctrl+S or ⌘S, for as long as `view` is shown. */
export function saveByKey(view, save) {
  view.listen(window, 'keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey) return;
    event.preventDefault();
    save();
  });
}
