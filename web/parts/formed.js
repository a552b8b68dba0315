// A chip for each thing remembered, with undo, or not kept, with the reason.

import { button, hasWord, html, icon, may, path, post, postOnce, t, tell, tellRefusal, word } from '../lib/page.js';
import { giveConsent } from './consent.js';
import { memoryLink } from './memory-card.js';

/** `of`: { persona, name, subject, changed() }. Nothing is shown where nothing was remembered or refused. */
export function formedChips({ formation, remembered = [], notKept = [] }, of) {
  const refused = notKept.filter(({ reason }) => hasWord('notKept', reason));
  if (formation === 'pending') return html`<ul class="formed"><li class="chip waits">${icon('memories')}<span>${t('formed.pending')}</span></li></ul>`;
  if (!remembered.length && !refused.length) return null;
  return html`<ul class="formed" aria-label=${t('formed.label')}>${remembered.map((memory) => keptChip(memory, of))}${refused.map((one) => refusedChip(one, of))}</ul>`;
}

function keptChip(memory, of) {
  const own = path`/v1/personas/${of.persona}/memories/${memory.id}`;
  const chip = html`<li class="chip kept"></li>`;
  const show = (isKept) => {
    chip.classList.toggle('undone', !isKept);
    const change = async ({ currentTarget: button }) => {
      button.disabled = true;
      try {
        await (isKept ? postOnce(`${own}/redact`, { mode: 'soft', reason: 'request' }) : post(`${own}/restore`));
        show(!isKept);
        of.changed();
        chip.querySelector('button').focus();
      } catch (refused) {
        button.disabled = false;
        tellRefusal(refused);
      }
    };
    chip.replaceChildren(
      icon(isKept ? (memory.revises ? 'revised' : 'memories') : 'forget'),
      html`<span>${t(isKept ? (memory.revises ? 'formed.updated' : 'formed.remembered') : 'formed.undone')} ${isKept ? html`<a class="said" href=${memoryLink(of.persona, memory.id)}>${memory.gist}</a>` : html`<span class="said">${memory.gist}</span>`}</span>`,
      ...(may('write') ? [html`<button class="bare small" @click=${change}>${t(isKept ? 'common.undo' : 'formed.again')}</button>`] : []),
    );
  };
  show(true);
  return chip;
}

function refusedChip({ reason, category }, of) {
  const consent = async () => {
    if (await giveConsent(of.persona, of.name, of.subject)) tell(t('formed.consented'));
  };
  return html`<li class="chip refused">${icon('private')}<span>${word('notKept', reason, { category: category ? word('category', category) : t('formed.this') })}</span>
    ${reason === 'consent_not_on_record' && of.subject && may('write') && button('formed.allow', consent, 'bare small')}</li>`;
}
