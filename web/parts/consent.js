// Asking how a person agreed to have sensitive data kept, and putting that on record.

import { askFirst, field, hint, html, path, post, t } from '../lib/page.js';

export const giveConsent = (persona, name, subject) => askFirst({
  title: 'people.consent', confirm: 'people.consentIt',
  body: html`${hint('people.consentHint', '', { name })}${field('how', t('people.consentHow'), { required: true, maxLength: 280, placeholder: t('people.consentExample') })}`,
  act: (data) => post(path`/v1/personas/${persona}/subjects/${subject}/consents`, { classes: ['sensitive-pii'], how: data.get('how').trim() }),
});
