// Says that a persona's memory is paused or off, and leads to where it is resumed.

import { choose, html, sentence, t } from '../lib/page.js';

const WAYS = { 'memory-paused': ['document_unsigned', 'personas'], 'memory-off': ['memory_disabled', 'settings'] };

export function withoutMemory(persona, notices = []) {
  const [code, screen] = notices.map((notice) => WAYS[notice.code]).find(Boolean) ?? [];
  return code ? html`<p class="note warn">${sentence(0, { code })} <a href=${`/ui/${screen}`} @click=${() => choose('persona', persona)}>${t(`nav.${screen}`)}</a></p>` : '';
}
