// Giving a persona something to remember, without talking to it.

import { askFirst, field, hint, html, linesOf, path, post, row, t, word } from '../lib/page.js';

export async function newMemory(persona) {
  const given = await askFirst({
    title: 'memories.add',
    confirm: 'memories.keep',
    body: html`
      ${field('new-gist', t('memory.gist'), { name: 'gist', rows: 3, maxLength: 280, required: true, className: 'said' })}
      ${field('new-details', t('memory.details'), { name: 'details', rows: 3, hint: t('acts.detailsHint') })}
      ${row(field('new-kind', t('memory.kind'), { name: 'kind', options: ['semantic', 'episodic', 'procedural'].map((kind) => [kind, word('kind', kind)]) }), field('new-subject', t('memories.whose'), { name: 'subject', more: 'grow' }))}
      ${hint('memories.classHint', 'small')}`,
    act: (data) => create(persona, data),
  });
  return given?.answer.memory ?? null;
}

function create(persona, given) {
  const subject = given.get('subject').trim();
  const details = linesOf(given.get('details')).map((content) => ({ content, brightness: 0.8 }));
  const ground = subject ? { subject, privacyClass: 'guest-pii', consentBasis: 'service-delivery' } : { privacyClass: 'non-pii', consentBasis: 'not-applicable' };
  return post(path`/v1/personas/${persona}/memories`, { kind: given.get('kind'), gist: given.get('gist').trim(), details, salience: 0.7, ...ground });
}
