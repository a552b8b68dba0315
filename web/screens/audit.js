// Counts, the log, and its proof in this browser.

import { button, date, download, get, hasWord, head, hint, html, Loading, moment, nameOf, note, number, path, row, section, t, table, word } from '../lib/page.js';
import { memoryLink } from '../parts/memory-card.js';
import { canProve, LogProof } from '../proof/log.js';

const LATEST = 30;

export class Screen extends Loading {
  async fetch() {
    this.report = await get('/v1/audit', { persona: this.persona });
    const lines = [];
    let cursor;
    do {
      const page = await get('/v1/audit/export', { persona: this.persona, cursor });
      this.origin = page.origin;
      lines.push(...page.lines);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    this.lines = lines;
  }

  page() {
    const { classes, events, openErasures, logs } = this.report;
    const latest = this.lines.filter((line) => line.startsWith('{"event"')).slice(-LATEST).reverse().map((line) => JSON.parse(line).event);
    return html`
      ${head(t('audit.title', { name: nameOf(this.persona) }), t('audit.about'))}
      <section class="card stack proof"><h2>${t('audit.proof')}</h2><p>${t('audit.proofHint')}</p>
        ${row(button('audit.prove', () => this.prove(), 'main', 'audit'), button('audit.export', () => download(`${this.persona}.audit.jsonl`, `${this.lines.join('\n')}\n`), '', 'download'))}
        <div class="proven" role="status"></div></section>
      ${openErasures.length ? html`<section class="note warn stack"><h2 class="small">${t('audit.open')}</h2><ul>${openErasures.map((one) => html`<li><a href=${`/ui/forget?erasure=${one.id}`}><code>${one.id}</code></a> ${t('audit.dueBy', { day: date(one.completeBy) })}</li>`)}</ul></section>` : null}
      <div class="two">
        ${section(t('audit.events'), table(t('audit.events'), [t('audit.what'), number(t('audit.times'))], Object.entries(events).map(([kind, count]) => [word('event', kind.replaceAll('.', '-')), count])))}
        ${section(t('audit.classes'), [table(t('audit.classes'), [t('memory.class'), number(t('status.active')), number(t('status.archived')), number(t('status.redacted'))], Object.entries(classes).map(([name, count]) => [word('class', name), count.active, count.archived, count.redacted])),
          hint('audit.size', 'small', { n: logs[0]?.size ?? 0 })])}
      </div>
      ${section(t('audit.latest'), table(t('audit.latest'), [number(t('audit.seq')), t('audit.when'), t('audit.what'), t('audit.about2'), t('audit.actor')], latest.map((event) => [event.seq, moment(event.ts), word('event', event.type.replaceAll('.', '-')), this.about(event.id), html`<code class="small" title=${event.actor}>${short(event.actor)}</code>`])))}`;
  }

  about(id = '') {
    const name = html`<code class="small">${id}</code>`;
    return id.startsWith('mem:') ? html`<a href=${memoryLink(this.persona, id)}>${name}</a>` : name;
  }

  async prove() {
    const told = this.find('.proven');
    if (!(await canProve())) return told.replaceChildren(note([t('audit.cannot'), html` <code>selfhood memory audit --verify</code>`], 'warn'));
    this.isBusy = true;
    told.replaceChildren(html`<p>${t('audit.proving', { n: this.lines.length })}</p>`);
    try {
      const { document: signed } = await get(path`/personas/${this.persona}`);
      const proof = new LogProof(this.origin, signed.signature.signer);
      for (const line of this.lines) await proof.take(line);
      const { events, checkpoints, uncovered, root } = await proof.result();
      told.replaceChildren(html`<div class="note good stack"><p><b>${t('audit.holds', { n: events })}</b> ${t('audit.signed', { n: checkpoints })} ${uncovered ? t('audit.uncovered', { n: uncovered }) : ''}</p><p class="small break">${t('audit.root')} <code>${root}</code></p><p class="small break">${t('audit.signer')} <code>${signed.signature.signer}</code></p></div>`);
    } catch (broken) {
      const isBroken = hasWord('logBreaks', broken.message);
      const why = isBroken ? word('logBreaks', broken.message, broken) : broken.code ? broken.message : t('audit.noSigner');
      told.replaceChildren(note([t(isBroken ? 'audit.broken' : 'audit.unchecked'), ' ', why], isBroken ? 'bad' : 'warn'));
    }
    this.isBusy = false;
  }
}

const short = (actor) => (actor.length > 28 ? `${actor.slice(0, 14)}…${actor.slice(-8)}` : actor);
