// Counts, the log, and its proof in this browser.

import { button, date, get, head, hint, html, icon, moment, nameOf, path, t, word } from '../lib/page.js';
import { download } from '../lib/download.js';
import { Loading } from '../parts/loading.js';
import { memoryLink } from '../parts/memory-card.js';
import { number, table } from '../parts/table.js';
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
        <div class="row">${button('audit.prove', () => this.prove(), 'main', 'audit')}<button @click=${() => download(`${this.persona}.audit.jsonl`, `${this.lines.join('\n')}\n`)}>${icon('download')}${t('audit.export')}</button></div>
        <div class="proven" role="status"></div></section>
      ${openErasures.length ? html`<section class="note warn stack"><h2 class="small">${t('audit.open')}</h2><ul>${openErasures.map((one) => html`<li><a href=${`/ui/forget?erasure=${one.id}`}><code>${one.id}</code></a> ${t('audit.dueBy', { day: date(one.completeBy) })}</li>`)}</ul></section>` : null}
      <div class="two">
        <section class="stack"><h2>${t('audit.events')}</h2>${table(t('audit.events'), [t('audit.what'), number(t('audit.times'))], Object.entries(events).map(([kind, count]) => [word('event', kind.replaceAll('.', '-')), count]))}</section>
        <section class="stack"><h2>${t('audit.classes')}</h2>${table(t('audit.classes'), [t('memory.class'), number(t('status.active')), number(t('status.archived')), number(t('status.redacted'))], Object.entries(classes).map(([name, count]) => [word('class', name), count.active, count.archived, count.redacted]))}
        ${hint('audit.size', 'small', { n: logs[0]?.size ?? 0 })}</section>
      </div>
      <section class="stack"><h2>${t('audit.latest')}</h2>${table(t('audit.latest'), [number(t('audit.seq')), t('audit.when'), t('audit.what'), t('audit.about2'), t('audit.actor')], latest.map((event) => [event.seq, moment(event.ts), word('event', event.type.replaceAll('.', '-')), this.about(event.id), html`<code class="small" title=${event.actor}>${short(event.actor)}</code>`]))}</section>`;
  }

  about(id = '') {
    const name = html`<code class="small">${id}</code>`;
    return id.startsWith('mem:') ? html`<a href=${memoryLink(this.persona, id)}>${name}</a>` : name;
  }

  async prove() {
    const told = this.find('.proven');
    if (!(await canProve())) return told.replaceChildren(html`<p class="note warn">${t('audit.cannot')} <code>selfhood memory audit --verify</code></p>`);
    this.isBusy = true;
    told.replaceChildren(html`<p>${t('audit.proving', { n: this.lines.length })}</p>`);
    try {
      const { document: signed } = await get(path`/personas/${this.persona}`);
      const proof = new LogProof(this.origin, signed.signature.signer);
      for (const line of this.lines) await proof.take(line);
      const { events, checkpoints, uncovered, root } = await proof.result();
      told.replaceChildren(html`<div class="note good stack"><p><b>${t('audit.holds', { n: events })}</b> ${t('audit.signed', { n: checkpoints })} ${uncovered ? t('audit.uncovered', { n: uncovered }) : ''}</p><p class="small break">${t('audit.root')} <code>${root}</code></p><p class="small break">${t('audit.signer')} <code>${signed.signature.signer}</code></p></div>`);
    } catch (broken) {
      told.replaceChildren(html`<p class="note bad">${t('audit.broken')} ${word('logBreaks', broken.message, broken)}</p>`);
    }
    this.isBusy = false;
  }
}

const short = (actor) => (actor.length > 28 ? `${actor.slice(0, 14)}…${actor.slice(-8)}` : actor);
