// Whether everything is well, and if not, the way out.

import { button, fold, get, head, html, Loading, muted, nameOf, note, post, row, t, tag, word } from '../lib/page.js';

const SIGNS = { ok: 'check', warn: 'warn', fail: 'close' };

export class Screen extends Loading {
  begin() {
    this.examine = () => get('/v1/doctor');
    super.begin({ follows: false });
  }

  async fetch() {
    [{ checks: this.checks }, this.ready] = await Promise.all([this.examine(), get('/readyz').catch((refused) => refused)]);
  }

  again(examine) {
    this.examine = examine;
    this.wait();
  }

  page() {
    const { ok = [], warn = [], fail = [] } = Object.groupBy(this.checks, ({ outcome }) => outcome);
    const worst = fail.length ? 'fail' : warn.length ? 'warn' : 'ok';
    return html`
      ${head(t('nav.health'), t(`health.${worst}`), row(button('health.again', () => this.again(() => get('/v1/doctor'))), button('health.verify', () => this.again(() => post('/v1/vault/verify')))))}
      ${this.ready.status === 'ok' ? null : note(this.ready.message, 'bad')}
      ${list([...fail, ...warn])}${fold(t('health.passed', { n: ok.length }), list(ok))}`;
  }
}

const list = (checks) => html`<ul class="checks">${checks.map(({ check, about, outcome, detail, wayOut }) => html`<li class=${outcome}>${tag(t(`health.outcome.${outcome}`), outcome === 'ok' ? 'well' : 'danger', SIGNS[outcome])}<div><h2 class="small">${word('checks', check)}${about && html` ${muted(nameOf(about.split('/').at(-1)), '')}`}</h2>${finding(check, outcome, detail, wayOut)}</div></li>`)}</ul>`;

/** A sentence for the outcome; the server's own notes, with paths and commands, folded away where something is to be done. */
function finding(check, outcome, detail, wayOut) {
  const noted = html`<p lang="en">${coded(detail)}</p>${wayOut && html`<p class="small quiet lines-kept" lang="en">${t('health.wayOut')} ${coded(wayOut)}</p>`}`;
  const key = `finding.${check}.${outcome}`;
  const isUnknown = t(key) === key;
  return html`<p>${t(isUnknown ? `health.other.${outcome}` : key)}</p>${(wayOut || isUnknown) && html`<details><summary class="small">${t('health.noted')}</summary>${noted}</details>`}`;
}

/** What stands between backticks is to be typed as it is. */
const coded = (text) => text.split('`').map((part, n) => (n % 2 ? html`<code>${part}</code>` : part));
