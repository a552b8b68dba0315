// Giving a persona something to remember, without talking to it.

import { html, path, post, t, word } from '../lib/page.js';
import { askFirst } from './dialog.js';

export async function newMemory(persona) {
  const given = await askFirst({
    title: t('memories.add'),
    confirm: t('memories.keep'),
    body: html`
      <div class="field"><label for="new-gist">${t('memory.gist')}</label><textarea id="new-gist" name="gist" rows="3" maxlength="280" required class="said"></textarea></div>
      <div class="field"><label for="new-details">${t('memory.details')}</label><textarea id="new-details" name="details" rows="3"></textarea><p class="hint">${t('acts.detailsHint')}</p></div>
      <div class="row"><div class="field"><label for="new-kind">${t('memory.kind')}</label><select id="new-kind" name="kind">${['semantic', 'episodic', 'procedural'].map((kind) => html`<option value=${kind}>${word('kind', kind)}</option>`)}</select></div>
      <div class="field grow"><label for="new-subject">${t('memories.whose')}</label><input id="new-subject" name="subject" autocomplete="off" /></div></div>
      <p class="quiet small">${t('memories.classHint')}</p>`,
    act: (data) => create(persona, data),
  });
  return given?.answer.memory ?? null;
}

function create(persona, given) {
  const subject = given.get('subject').trim();
  const details = given.get('details').split('\n').map((line) => line.trim()).filter(Boolean).map((content) => ({ content, brightness: 0.8 }));
  const ground = subject ? { subject, privacyClass: 'guest-pii', consentBasis: 'service-delivery' } : { privacyClass: 'non-pii', consentBasis: 'not-applicable' };
  return post(path`/v1/personas/${persona}/memories`, { kind: given.get('kind'), gist: given.get('gist').trim(), details, salience: 0.7, ...ground });
}
