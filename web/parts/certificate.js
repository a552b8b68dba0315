// A certificate of erasure as a page one can read and print, with a headline true to what was left, and what this browser
// verified of it.

import { called, fact, fold, get, hasWord, hint, html, icon, moment, note, number, path, state, t, table, tag, word } from '../lib/page.js';
import { checkCertificate } from '../proof/certificate.js';
import { canProve } from '../proof/log.js';
import { groupOf } from './erasure-preview.js';

/** `erasure` is the job it is of, where this server still has it. */
export function certificate(signed, erasure) {
  const { request, scan, keys, tombstones, derived } = signed;
  const kept = erasure ? Math.max(0, erasure.counts.proposed - erasure.counts.taken) : 0;
  const { name, isWhole, given } = standing(signed, kept, erasure?.warnings?.length);
  const row = (name, value) => fact(t(`certificate.${name}`), value);
  return html`
    <article class="card certificate stack">
      <header class="stack"><p class="small quiet">Selfhood · ${t('certificate.title')}</p><h3>${t(`certificate.head${name}`, given)}</h3>${tag(t(`certificate.${isWhole ? 'done' : signed.outcome === 'done' ? 'unchecked' : 'partial'}`), isWhole ? 'well' : 'danger', isWhole ? 'check' : 'warn')}</header>
      <p class="said">${t(scan.identifiers ? 'certificate.sentence' : 'certificate.sentenceUnsearched', { received: moment(request.receivedAt), completed: moment(request.completedAt), n: scan.hits, files: scan.files })}</p>
      ${scan.identifiers ? null : note(t('certificate.unsearchedHint'), 'warn')}
      ${kept > 0 && note(t('certificate.keptHint', { n: kept }), 'warn')}
      <details><summary>${t('certificate.more')}</summary><dl class="facts-list">
        ${row('id', html`<code>${signed.id}</code>`)}
        ${row('reason', word('reason', request.reason))}
        ${row('subject', html`<code>${signed.subject.hash}</code>`)}
        ${row('operator', html`<code>${signed.operator}</code>`)}
        ${row('due', `${moment(request.completedAt)} / ${moment(request.completeBy)}`)}
        ${row('keys', t('certificate.keysWords', { n: keys.destroyed, before: keys.epochBefore, after: keys.epochAfter }))}
        ${row('tombstones', String(tombstones.ids.length))}
        ${row('derived', t('certificate.derivedWords', derived))}
        ${row('scan', t('certificate.scanWords', { n: scan.identifiers, forms: scan.forms.length ?? scan.forms, planted: scan.canariesPlanted, found: scan.canariesFound }))}
      </dl></details>
      ${fold(t('certificate.places'), [hint('certificate.placesHint', 'small', { n: signed.places.length }), table(t('certificate.places'), [t('forget.what'), number(t('certificate.count')), number(t('certificate.hits'))], places(signed))])}
      ${fold(t('certificate.unreached'), html`<ul class="stack small">${signed.unreached.map((one) => html`<li>${word('unreached', one.what)}</li>`)}</ul>`)}
      <p class="small">${t('certificate.verify')} <code class="break">${command(signed)}</code></p>
    </article>`;
}

function places(signed) {
  const found = Map.groupBy(signed.places.filter(({ count, hits }) => count || hits), groupOf);
  const sum = (some, what) => some.reduce((all, one) => all + one[what], 0);
  return [...found].map(([group, some]) => [word('group', group), sum(some, 'count'), sum(some, 'hits')]);
}

/** What the headline may say: the worst that is true. */
function standing({ outcome, scan, unreached }, kept, notes) {
  if (scan.hits) return { name: 'Partial', given: { n: scan.hits } };
  if (outcome !== 'done') return { name: 'Unproven' };
  if (!scan.identifiers) return { name: 'Unsearched' };
  if (notes) return { name: 'Notes', given: { n: notes } };
  if (kept) return { name: 'Kept', given: { n: kept }, isWhole: true };
  return { name: unreached.some(({ what }) => what === 'matches left to others') ? 'KeptSome' : 'Done', isWhole: true };
}

/** It needs nothing of this server but the file and the signer's public key. */
const command = ({ request, operator }) => `selfhood verify certificate-${request.id}.json --signer ${operator}`;

export async function verified(copy) {
  const signed = copy.certificate ?? copy;
  const unchecked = (why) => note([t(why), html` <code>${command(signed)}</code>`], 'warn');
  if (signed.request && !(await canProve())) return unchecked('certificate.cannot');
  const trusted = await signers();
  try {
    const checked = await checkCertificate(copy, trusted.filter(Boolean));
    return html`<div class=${['note stack tight verified', checked.includes('unsearched') ? 'warn' : 'good']} role="status"><p><b>${t('certificate.holds')}</b></p><ul>${checked.map((name) => html`<li>${icon(name === 'unsearched' ? 'warn' : 'check')} ${t(`proves.${name}`, { name: [copy.opening?.subject, ...(copy.opening?.identifiers ?? [])].map(called).join(', ') })}</li>`)}</ul></div>`;
  } catch (broken) {
    // Somebody may well sign here who isn't known now.
    if (broken.message === 'signer' && !trusted.every(Boolean)) return unchecked('certificate.noSigner');
    // What the checks trip over isn't written as a certificate is.
    return html`<p class="note bad verified" role="alert">${t('certificate.broken')} ${word('breaks', hasWord('breaks', broken.message) ? broken.message : 'kind')}</p>`;
  }
}

/** Who signs the personas here, with nothing for those unknown. The list of operators is for the command line alone. */
async function signers() {
  const details = await Promise.all(state.personas.map(({ name }) => get(path`/personas/${name}`).catch(() => null)));
  return details.length ? [...new Set(details.map((one) => one?.document.signature?.signer))] : [null];
}
