// A certificate of erasure as a page one can read and print.

import { html } from '../lib/html.js';
import { t, word } from '../lib/text.js';
import { moment } from '../lib/time.js';
import { icon } from './icon.js';
import { number, table } from './table.js';

export function certificate(signed) {
  const { request, scan, keys, tombstones, derived } = signed;
  const row = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const done = signed.outcome === 'done';
  return html`
    <article class="card certificate stack">
      <header class="stack"><p class="small quiet">Selfhood</p><h3>${t('certificate.title')}</h3><p class=${['tag', done ? 'well' : 'danger']}>${icon(done ? 'check' : 'warn')}${t(done ? 'certificate.done' : 'certificate.partial')}</p></header>
      <p class="said">${t('certificate.sentence', { received: moment(request.receivedAt), completed: moment(request.completedAt), hits: scan.hits, files: scan.files })}</p>
      <dl class="facts-list">
        ${row(t('certificate.id'), html`<code>${signed.id}</code>`)}
        ${row(t('certificate.reason'), word('reason', request.reason))}
        ${row(t('certificate.subject'), html`<code>${signed.subject.hash}</code>`)}
        ${row(t('certificate.operator'), html`<code>${signed.operator}</code>`)}
        ${row(t('certificate.due'), `${moment(request.completedAt)} / ${moment(request.completeBy)}`)}
        ${row(t('certificate.keys'), t('certificate.keysWords', { n: keys.destroyed, before: keys.epochBefore, after: keys.epochAfter }))}
        ${row(t('certificate.tombstones'), tombstones.ids.length)}
        ${row(t('certificate.derived'), t('certificate.derivedWords', derived))}
        ${row(t('certificate.scan'), t('certificate.scanWords', { identifiers: scan.identifiers, forms: scan.forms.length ?? scan.forms, planted: scan.canariesPlanted, found: scan.canariesFound }))}
      </dl>
      <details><summary>${t('certificate.places')}</summary>${table(t('certificate.places'), [t('forget.place'), t('forget.method'), number(t('certificate.count')), t('certificate.verified'), number(t('certificate.hits'))], signed.places.map((place) => [html`<code class="break">${place.place}</code>`, place.method, place.count, place.verified, place.hits]))}</details>
      <details><summary>${t('certificate.unreached')}</summary><ul class="stack small">${signed.unreached.map((one) => html`<li><b>${one.what}</b>: ${one.why}</li>`)}</ul></details>
      <p class="small">${t('certificate.verify')} <code class="break">${signed.verify}</code></p>
    </article>`;
}
