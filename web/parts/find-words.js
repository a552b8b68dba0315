// Finds words in the conversation that is open, the latest first: an installed page has no search of the browser.

import { html, icon, row, signButton, t } from '../lib/page.js';

/** A bar over `list`, with `words` in it. Gives what looks again, once more of the list is there. */
export function findWords(list, words) {
  let at = 0;
  const show = (step) => {
    const typed = field.value.trim();
    const sought = new RegExp(typed.replace(/[^\p{L}\p{N}\s]/gu, '\\$&'), 'gi');
    const found = typed ? [...list.querySelectorAll('.words')].flatMap((place) => rangesIn(place, sought)).reverse() : [];
    at = step === undefined ? 0 : (at + step + found.length) % (found.length || 1);
    mark(found, found.slice(at, at + 1));
    found[at]?.startContainer.parentElement.scrollIntoView({ block: 'center' });
    count.textContent = found.length ? t('chat.place', { at: at + 1, n: found.length }) : typed && t('palette.none');
  };
  const close = () => {
    mark([], []);
    bar.remove();
    list.focus({ preventScroll: true });
  };
  const pressed = (event) => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    show(event.shiftKey ? -1 : 1);
  };
  const field = html`<input type="search" id="find" class="grow" autocomplete="off" maxlength="200" aria-label=${t('chat.find')} placeholder=${t('chat.find')} .value=${words} @input=${() => show()} @keydown=${pressed} />`;
  const count = html`<span class="small quiet" role="status"></span>`;
  const bar = html`<div class="finding" role="search">${icon('search')}${field}${count}${row(signButton('up', t('chat.older'), () => show(1)), signButton('down', t('chat.newer'), () => show(-1)), signButton('close', t('common.close'), close))}</div>`;
  list.parentElement.querySelector('.finding')?.remove();
  list.before(bar);
  field.focus();
  show();
  const again = () => bar.isConnected && show(0);
  list.addEventListener('filled', again);
  return again;
}

/** A browser that can't mark words still goes to them. */
const mark = (...all) => all.forEach((ranges, n) => CSS.highlights?.set(['found', 'found-here'][n], new Highlight(...ranges)));

function rangesIn(place, sought) {
  const found = [];
  for (const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT); texts.nextNode(); )
    for (const { index, 0: { length } } of texts.currentNode.data.matchAll(sought)) {
      const range = new Range();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + length);
      found.push(range);
    }
  return found;
}
