// The digests of days, weeks and months: when each is made, and what it would change.

import { acts, button, called, distance, fact, get, head, hint, html, linkTo, Loading, may, moment, muted, nameOf, patch, path, post, section, t, table, tag, tell, tellRefusal, to, trying, word } from '../lib/page.js';

const DIGESTS = ['short', 'mid', 'long'];

export class Screen extends Loading {
  async fetch() {
    const [{ digests }, { jobs }] = await Promise.all([get('/distill/status'), get('/v1/jobs')]);
    this.digests = digests.filter(({ persona }) => persona === this.persona);
    this.jobs = jobs.filter(({ persona }) => persona === this.persona);
  }

  page() {
    return html`
      ${head(t('distillation.title', { name: nameOf(this.persona) }), t('distillation.about'))}
      <ul class="people digests">${DIGESTS.map((name) => this.card(name, this.digests.find(({ digest }) => digest === name)))}</ul>
      <section class="stack distilled" aria-live="polite"></section>
      ${section(t('distillation.jobs'), this.jobs.length ? this.jobTable() : hint('distillation.noJobs'))}`;
  }

  card(name, status) {
    if (!status) return null;
    const file = `MEMORY_${name.toUpperCase()}.md`;
    return html`<li class="card stack"><h2>${t(`distillation.${name}`)}</h2><p>${t(`distillation.${name}Hint`)}</p>
      <div class="stack"><dl class="facts-list">
        ${row('next', whenNext(status))}
        ${row('last', lastRun(status))}
        ${row('writer', status.model === 'none' ? t('distillation.extract') : status.model)}
        ${row('budget', t('files.tokens', { n: status.budget }))}
      </dl>${status.auto ? null : html`<p class="note">${t('distillation.firstByHand')} <code>distill.auto_${name}</code></p>`}</div>
      <div class="row">${may('write') && html`${button('distillation.preview', () => this.distill(name, true), 'small')}${button('distillation.run', () => this.distill(name, false), 'small main')}`}${linkTo('distillation.read', `${to(this.persona, 'files')}?name=${file}`, 'bare small')}</div></li>`;
  }

  async distill(name, dryRun) {
    const shown = this.find('.distilled');
    this.isBusy = true;
    shown.replaceChildren(hint('common.loading'));
    try {
      const { distilled } = await post(`/distill/${name}`, { persona: this.persona, dryRun });
      if (!dryRun) await this.load();
      this.find('.distilled').replaceChildren(html`<h2>${t(dryRun ? 'distillation.would' : 'distillation.did')}</h2>`, ...(distilled.length ? distilled.map(outcome) : [hint('distillation.nothing')]));
    } catch (refused) {
      shown.replaceChildren();
      tellRefusal(refused);
    }
    this.isBusy = false;
  }

  jobTable() {
    const rows = this.jobs.map((job) => [
      word('job', job.name),
      schedule(job.schedule),
      whenNext(job),
      lastRun(job),
      may('write') ? button(job.pausedAt ? 'distillation.goOn' : 'distillation.pause', () => this.pause(job, !job.pausedAt), 'small') : null,
    ]);
    return table(t('distillation.jobs'), [t('distillation.job'), t('distillation.schedule'), t('distillation.next'), t('distillation.last'), acts(t('distillation.pause'))], rows);
  }

  async pause(job, paused) {
    await trying(async () => {
      await patch(path`/v1/personas/${this.persona}/jobs/${job.name}`, { paused });
      tell(t(paused ? 'distillation.pausedNow' : 'distillation.goesOn', { name: word('job', job.name) }), () => this.pause(job, !paused));
    });
    this.load();
  }
}

const row = (name, value) => fact(t(`distillation.${name}`), value);

const whenNext = ({ pausedAt, nextAt, schedule }) => (nextAt && !pausedAt ? `${moment(nextAt)}, ${distance(nextAt)}` : t(`distillation.${pausedAt ? 'paused' : schedule === 'when due' ? 'whenDue' : 'byHand'}`));

const lastRun = ({ last }) => (last ? `${moment(last.finishedAt)}: ${word('run', last.outcome)}` : t('distillation.never'));

/** `daily:03:00`, `weekly:sun:03:30`, `monthly:1:04:00`, `when due` in words. */
const schedule = (coded) => word('schedule', coded.split(':')[0], { time: coded.split(':').slice(-2).join(':') });

const outcome = (one) => html`<article class="card flat stack"><p class="facts">${tag(called(one.subject))}${tag(word('distilled', one.outcome), one.outcome === 'written' ? 'well' : ['refused', 'failed'].includes(one.outcome) && 'danger')}${one.reason && muted(word('guard', one.reason), '')}${muted(t('files.tokens', { n: one.tokens }), '')}</p>
  ${one.diff?.length ? html`<ol class="diff">${one.diff.map((line) => html`<li class=${line.startsWith('-') ? 'gone' : 'new'}>${line}</li>`)}</ol>` : null}</article>`;
