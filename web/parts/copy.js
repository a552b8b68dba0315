// Copies a text, or where the browser does not permit that, selects what is to be copied.

import { t } from '../lib/text.js';
import { tell } from './toasts.js';

export async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    tell(t('common.copied'));
  } catch {
    getSelection().selectAllChildren(shown);
    tell(t('common.selected'));
  }
}
