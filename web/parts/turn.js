// One thing said: the reader's own words as a note, the persona's in the voice of memory.

import { html } from '../lib/html.js';
import { t } from '../lib/text.js';
import { icon } from './icon.js';
import { fillWith } from './markdown.js';

/** `acts`: { name, memories(recallId), why(recallId) }. */
export function turn(said, acts) {
  if (said.speaker === 'subject') return html`<li class="turn mine"><span class="unseen">${t('chat.you')}</span><p class="words">${said.text}</p></li>`;
  const node = html`
    <li class=${['turn', 'theirs', said.speaking && 'speaking']}>
      <span class="unseen">${acts.name}</span>
      <div class="words said">${said.speaking && !said.text ? html`<span class="thinking" aria-label=${t('chat.thinking')}><i></i><i></i><i></i></span>` : said.text}</div>
      ${said.failed ? html`<p class="note bad">${said.failed}</p>` : null}
      ${said.escalation ? html`<p class="note warn">${t('chat.escalation', { phrase: said.escalation })}</p>` : null}
      ${said.standing === 'interrupted' ? html`<p class="small quiet">${t('chat.interrupted')}</p>` : null}
      ${said.private ? html`<p class="small quiet">${icon('private')} ${t('chat.nothingKept')}</p>` : null}
      ${said.recallId ? html`<p class="after"><button type="button" class="bare small" @click=${() => acts.memories(said.recallId)}>${icon('memories')}${t('chat.behind')}</button><button type="button" class="bare small" @click=${() => acts.why(said.recallId)}>${icon('why')}${t('chat.why')}</button></p>` : null}
    </li>`;
  if (!said.speaking && said.text) fillWith(node.querySelector('.words'), said.text).catch(() => {});
  return node;
}
