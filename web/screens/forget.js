// The right to be forgotten, step by step: who, what would go, what else names them, an operator's
// signature, the work itself, the search for anything left, and the certificate.

import { get, path, post, postOnce } from '../lib/api.js';
import { download } from '../lib/download.js';
import { html } from '../lib/html.js';
import { ask } from '../lib/router.js';
import { may } from '../lib/state.js';
import { t, word } from '../lib/text.js';
import { date, moment } from '../lib/time.js';
import { View } from '../lib/view.js';
import { certificate } from '../parts/certificate.js';
import { empty } from '../parts/empty.js';
import { placesTable, proposalsTable } from '../parts/erasure-tables.js';
import { tellRefusal } from '../parts/toasts.js';

const STEPS = ['who', 'preview', 'sign', 'work', 'proof'];
// Where a job that was begun goes on.
const STEP_OF = { received: 'sign', acknowledged: 'sign', gathered: 'sign', signed: 'sign', executing: 'work', verifying: 'work', done: 'proof', partial: 'proof' };

export class Screen extends View {
  begin() {
    this.className = 'screen';
    this.draw(html`<header><div><h1>${t('nav.forget')}</h1><p>${t('forget.about')}</p></div></header><ol class="steps" aria-label=${t('forget.steps')}></ol><section class="stage stack loose"></section>`);
    this.update(this.route);
  }

  end() {
    clearInterval(this.watching);
  }

  async update({ query }) {
    clearInterval(this.watching);
    try {
      if (!query.erasure) return this.show('who', await this.who(query));
      const { erasure } = await get(path`/v1/erasures/${query.erasure}`);
      const step = STEP_OF[erasure.status];
      this.show(step, await this[step](erasure));
    } catch (refused) {
      this.show('who', empty('forget', t('forget.closed'), refused.message, html`<a class="button" href="/ui/forget">${t('forget.anew')}</a>`));
    }
  }

  show(step, content) {
    this.querySelector('.steps').replaceChildren(...STEPS.map((name, n) => html`<li class=${n < STEPS.indexOf(step) && 'past'} aria-current=${name === step ? 'step' : null}><span class="n">${n + 1}</span>${t(`forget.step.${name}`)}</li>`));
    const heading = html`<h2 tabindex="-1">${t(`forget.step.${step}`)}</h2>`;
    this.querySelector('.stage').replaceChildren(heading, content);
    if (this.step && this.step !== step) heading.focus();
    this.step = step;
  }

  async who(query) {
    const { erasures } = await get('/v1/erasures');
    const { data: people } = may('admin') ? await get('/v1/subjects').catch(() => ({ data: [] })) : { data: [] };
    const look = (event) => (event.preventDefault(), this.foresee(asked(new FormData(event.target))));
    const field = (name, hint, control) => html`<div class="field"><label for=${name}>${t(`forget.${name}`)}</label>${control}<p class="hint">${t(`forget.${hint}`)}</p></div>`;
    return html`
      <form class="card stack" @submit=${look}>
        ${field('subject', 'subjectHint', html`<input id="subject" name="subject" list="known" required maxlength="256" autocomplete="off" spellcheck="false" .value=${query.who ?? ''} /><datalist id="known">${people.filter(({ role }) => role === 'guest').map(({ subject }) => html`<option value=${subject}></option>`)}</datalist>`)}
        ${field('identifiers', 'identifiersHint', html`<textarea id="identifiers" name="identifiers" rows="3" autocomplete="off"></textarea>`)}
        ${field('reason', 'reasonHint', html`<select id="reason" name="reason">${['right-to-be-forgotten', 'consent-withdrawn', 'request'].map((code) => html`<option value=${code}>${word('reason', code)}</option>`)}</select>`)}
        <div class="row end"><button type="submit" class="main">${t('forget.look')}</button></div>
      </form>
      ${erasures.length ? html`<section class="stack"><h2>${t('forget.requests')}</h2><ul class="lines">${[...erasures].reverse().map((erasure) => html`<li class="spread"><a href=${`/ui/forget?erasure=${erasure.id}`}><code>${erasure.id}</code></a><span class=${['tag', erasure.status === 'done' && 'well', erasure.alarm && 'danger']}>${word('erasure', erasure.status)}</span><span class="small quiet">${moment(erasure.receivedAt)}</span></li>`)}</ul></section>` : null}`;
  }

  /** Looks at what would go, and keeps nothing. */
  async foresee(request) {
    try {
      const { preview } = await post('/v1/erasures/preview', request);
      this.show('preview', html`
        <p>${t('forget.previewHint')}</p>${placesTable(preview.places)}<p class="quiet">${t('forget.derivedHint')}</p>
        ${preview.proposals.length ? html`<h3>${t('forget.proposals')}</h3><p class="quiet">${t('forget.proposalsHint')}</p>${proposalsTable(preview.proposals, false)}` : html`<p class="quiet">${t('forget.noProposals')}</p>`}
        <div class="row end"><button type="button" @click=${() => this.update(this.route)}>${t('forget.back')}</button><button type="button" class="main" @click=${() => this.request(request)}>${t('forget.request')}</button></div>`);
    } catch (refused) {
      tellRefusal(refused);
    }
  }

  async request(request) {
    try {
      const { erasure } = await postOnce('/v1/erasures', request);
      ask({ erasure: erasure.id, who: null });
    } catch (refused) {
      tellRefusal(refused);
    }
  }

  async sign(erasure) {
    const { preview } = await get(path`/v1/erasures/${erasure.id}/preview`);
    const go = async (event) => {
      event.preventDefault();
      const numbers = [...event.target.querySelectorAll('input[name="take"]:checked')].map((box) => Number(box.value));
      await this.carryOut(erasure, numbers);
    };
    return html`
      <p>${t('forget.received', { moment: moment(erasure.receivedAt), due: date(erasure.dueAt) })}</p>
      ${erasure.counts.held ? html`<p class="note warn">${t('forget.held', { n: erasure.counts.held })}</p>` : null}
      <form class="stack loose" @submit=${go}>
        <div class="stack">${placesTable(preview.places)}<p class="quiet small">${t('forget.derivedHint')}</p></div>
        ${preview.proposals.length ? html`<fieldset class="stack"><legend>${t('forget.proposals')}</legend><p class="quiet small">${t('forget.choose')}</p>${proposalsTable(preview.proposals, true)}</fieldset>` : null}
        <div class="card stack"><p>${t('forget.signHint')}</p>
          <div class="field"><label for="typed">${t('forget.type')} <code class="break">${erasure.id}</code></label><input id="typed" name="typed" required autocomplete="off" spellcheck="false" pattern=${erasure.id} /></div>
          <div class="row end"><button type="submit" class="main danger">${t('forget.signIt')}</button></div></div>
      </form>`;
  }

  /** Signs, then works. The opening, which ties the certificate to the person, is told only until it is done. */
  async carryOut(erasure, numbers) {
    try {
      const signed = await post(path`/v1/erasures/${erasure.id}/sign`, { take: 'none', numbers });
      this.opening = signed.opening;
      this.show('work', working('signed'));
      this.watch(erasure.id);
      await postOnce(path`/v1/erasures/${erasure.id}/execute`);
    } catch (refused) {
      tellRefusal(refused);
    }
    this.update(this.route);
  }

  watch(id) {
    clearInterval(this.watching);
    this.watching = setInterval(async () => {
      const { erasure } = await get(path`/v1/erasures/${id}`).catch(() => ({}));
      const bar = this.querySelector('.working');
      if (erasure && bar) bar.replaceWith(working(erasure.status));
    }, 700);
  }

  async work(erasure) {
    this.watch(erasure.id);
    return html`${working(erasure.status)}<div class="row"><button type="button" @click=${() => this.carryOn(erasure)}>${t('forget.carryOn')}</button></div>`;
  }

  async carryOn(erasure) {
    await postOnce(path`/v1/erasures/${erasure.id}/execute`).catch(tellRefusal);
    this.update(this.route);
  }

  async proof(erasure) {
    const { certificate: signed } = await get(path`/v1/erasures/${erasure.id}/certificate`);
    const copy = this.opening ? { certificate: signed, opening: this.opening } : signed;
    return html`
      ${erasure.warnings?.map((warning) => html`<p class="note warn">${warning}</p>`)}
      ${certificate(signed)}
      ${this.opening ? html`<p class="note">${t('forget.opening')}</p>` : null}
      <div class="row"><button type="button" class="main" id="download" @click=${() => download(`certificate-${erasure.id}.json`, copy)}>${t('forget.download')}</button><button type="button" @click=${() => print()}>${t('forget.print')}</button>
      ${erasure.status === 'partial' ? html`<button type="button" @click=${() => this.carryOn(erasure)}>${t('forget.carryOn')}</button>` : null}<a class="button bare" href="/ui/forget">${t('forget.anew')}</a></div>`;
  }
}

function asked(data) {
  const identifiers = data.get('identifiers').split('\n').map((line) => line.trim()).filter(Boolean);
  return { subject: data.get('subject').trim(), identifiers, reason: data.get('reason') };
}

const WORK = ['signed', 'executing', 'verifying', 'done'];
const working = (status) => html`<ol class="working" role="status">${WORK.map((name, n) => html`<li class=${[n < WORK.indexOf(status) && 'past', name === status && 'here']}>${t(`forget.working.${name}`)}</li>`)}</ol>`;

customElements.define('sh-forget', Screen);
