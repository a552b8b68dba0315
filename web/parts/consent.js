// Asking how a person agreed to have sensitive data kept, and putting that on record.

import { html, path, post, t } from '../lib/page.js';
import { askFirst } from './dialog.js';

export async function giveConsent(persona, name, subject) {
  const given = await askFirst({
    title: t('people.consent'), confirm: t('people.consentIt'),
    body: html`<p class="quiet">${t('people.consentHint', { name })}</p><div class="field"><label for="how">${t('people.consentHow')}</label><input id="how" name="how" required maxlength="280" autocomplete="off" placeholder=${t('people.consentExample')} /></div>`,
    act: (data) => post(path`/v1/personas/${persona}/subjects/${subject}/consents`, { classes: ['sensitive-pii'], how: data.get('how').trim() }),
  });
  return Boolean(given);
}
