// The right to be forgotten, step by step, to a certificate that is downloaded and verified at once. One that somebody
// holds is verified here too.

import { ask, button, called, date, download, failed, field, get, head, hint, html, keepForVisit, keptForVisit, knownPeople, linesOf, linkTo, moment, note, path, post, postOnce, remove, row, section, submit, t, tag, tell, tellRefusal, trying, View, word } from '../lib/page.js';
import { certificate, verified } from '../parts/certificate.js';
import { dropZone } from '../parts/drop-zone.js';
import { goes, proposalList } from '../parts/erasure-preview.js';
import { notes } from '../parts/notes.js';

const STEPS = ['who', 'preview', 'sign', 'work', 'proof'];
const STEP_OF = { received: 'sign', acknowledged: 'sign', gathered: 'sign', signed: 'sign', executing: 'work', verifying: 'work', done: 'proof', partial: 'proof', withdrawn: 'who' };

export class Screen extends View {
  begin() {
    this.draw(html`${head(t('nav.forget'), t('forget.about'))}<ol class="steps" aria-label=${t('forget.steps')}></ol><section class="stage stack loose"></section>`);
    this.update(this.route);
  }

  end() {
    clearInterval(this.watching);
  }

  async update({ query }) {
    clearInterval(this.watching);
    try {
      if (!query.erasure) {
        if (query.preview && this.foreseen) return this.showForeseen();
        this.show('who', await this.who(query));
        return query.check && this.find('#certificate').focus();
      }
      const { erasure, opening } = await get(path`/v1/erasures/${query.erasure}`);
      if (opening) this.keepOpening(erasure.id, opening);
      const step = STEP_OF[erasure.status];
      this.show(step, await this[step](erasure));
    } catch (refused) {
      this.show('who', html`${failed('forget', refused, () => this.update(this.route))}<a href="/ui/forget">${t('forget.anew')}</a>`);
    }
  }

  show(step, content) {
    this.find('.steps').replaceChildren(...STEPS.map((name, n) => html`<li class=${n < STEPS.indexOf(step) && 'past'} aria-current=${name === step ? 'step' : null}><span class="n">${n + 1}</span>${t(`forget.step.${name}`)}</li>`));
    const heading = html`<h2 tabindex="-1">${t(`forget.step.${step}`)}</h2>`;
    this.find('.stage').replaceChildren(heading, content);
    if (this.isShown) heading.focus();
    this.isShown = true;
  }

  async take(file) {
    const copy = await file.text().then(JSON.parse).catch(() => null);
    const result = await verified(copy ?? {});
    const shown = html`<section class="stack checked"><h2 tabindex="-1">${t('forget.checkOf', { name: file.name })}</h2>${result}${result.matches('.verified:not(.bad)') && certificate(copy.certificate ?? copy)}</section>`;
    this.find('.checked')?.remove();
    this.find('.stage').append(shown);
    shown.querySelector('h2').focus();
  }

  /** What ties the certificate to the person; kept by this tab, because the server destroys it. */
  keepOpening(id, opening) {
    keepForVisit(`opening.${id}`, JSON.stringify(opening));
  }

  opening(id) {
    return JSON.parse(keptForVisit(`opening.${id}`));
  }

  async who(query) {
    const { erasures } = await get('/v1/erasures');
    const people = await knownPeople();
    this.people = people;
    const owner = people.find(({ role }) => role === 'owner')?.subject;
    const names = await Promise.all(erasures.map(({ id, status }) => this.opening(id)?.subject ?? (/who|proof/.test(STEP_OF[status]) ? null : get(path`/v1/erasures/${id}`).then(({ opening }) => opening?.subject, () => null))));
    const look = ({ target }) => this.foresee(asked(new FormData(target)));
    const chooseMe = () => Object.assign(this.find('#subject'), { value: owner }).dispatchEvent(new Event('input'));
    const picked = () => {
      const typed = this.find('#subject').value.trim();
      const other = this.find('#identifiers');
      this.find('.me-note')?.toggleAttribute('hidden', typed !== owner);
      if (!other.value) other.value = namesOf(typed);
    };
    const namesOf = (who) => people.find(({ subject }) => subject === who)?.aliases.join('\n') ?? '';
    const chosen = this.asked?.subject ?? (query.me && owner ? owner : (query.who ?? ''));
    return html`
      <form class="card stack" @submit=${look}>
        <div class="row top">${field('subject', t('forget.subject'), { suggested: people.map(({ subject }) => subject), required: true, maxLength: 256, spellcheck: false, value: chosen, oninput: picked, more: 'grow', hint: t('forget.subjectHint') })}${owner && button('forget.me', chooseMe, 'me', 'personas')}</div>
        <p class="note warn me-note" ?hidden=${!owner || !(query.me || query.who === owner)}>${t('forget.meHint')}</p>
        ${field('identifiers', t('forget.identifiers'), { rows: 3, placeholder: t('forget.identifiersExample'), value: this.asked?.identifiers.join('\n') ?? namesOf(chosen), hint: t('forget.identifiersHint') })}
        ${field('reason', t('forget.reason'), { options: ['right-to-be-forgotten', 'consent-withdrawn', 'request'].map((code) => [code, word('reason', code)]), hint: t('forget.reasonHint') })}
        <div class="row end">${submit('forget.look')}</div>
      </form>
      ${erasures.length ? section(t('forget.requests'), html`<ul class="lines">${erasures.map((erasure, n) => html`<li class="spread"><a href=${erasure.status !== 'withdrawn' && `/ui/forget?erasure=${erasure.id}`}>${names[n] && html`<b>${called(names[n])}</b>, `}${t('forget.requestOf', { moment: moment(erasure.receivedAt), code: codeOf(erasure) })}</a>${tag(word('erasure', erasure.status), erasure.alarm ? 'danger' : erasure.status === 'done' && 'well')}</li>`).reverse()}</ul>`) : null}
      ${section(t('forget.check'), [hint('forget.checkHint'), dropZone({ id: 'certificate', label: t('import.choose'), hint: t('forget.checkDrop'), accept: '.json', take: (file) => this.take(file) })])}`;
  }

  /** Looks at what would go, and keeps nothing. The way back leads to the form as it was filled in. */
  async foresee(asked) {
    await trying(async () => {
      const { preview: foreseen } = await post('/v1/erasures/preview', asked);
      Object.assign(this, { asked, foreseen });
      if (this.route.query.preview) this.showForeseen();
      else ask({ preview: true });
    });
  }

  showForeseen() {
    const { asked: request, foreseen: preview } = this;
    const isKnown = preview.places.some(({ own }) => own);
    this.show('preview', html`
      <p>${t('forget.previewHint')}</p>${isKnown ? html`${goes(preview.places)}${hint('forget.derivedHint')}${request.identifiers.length ? null : note(t('forget.noIdentifiers'), 'warn')}` : this.unknown(request)}
      ${preview.proposals.length ? html`<h3>${t('forget.proposals')}</h3>${hint('forget.proposalsHint')}${proposalList(preview.proposals, false)}` : hint('forget.noProposals')}
      <p class="note">${t('forget.requestHint')}</p>
      <div class="row end">${button('forget.back', () => history.back(), !isKnown && 'main')}${button('forget.request', () => this.request(request), isKnown && 'main')}</div>`);
  }

  /** Nothing is stored under this name; perhaps under one that is nearly the same. */
  unknown(request) {
    const near = this.people.filter(({ subject, aliases }) => [subject, ...aliases].some((name) => isNear(name, request.subject)));
    return html`<div class="note warn stack tight"><p>${t('forget.unknown', { name: request.subject })}</p>${near.length ? html`<p class="row">${t('forget.near')} ${near.map(({ subject }) => html`<button class="small" @click=${() => this.foresee({ ...request, subject })}>${subject}</button>`)}</p>` : null}</div>`;
  }

  async request(request) {
    await trying(async () => {
      const { erasure, opening } = await postOnce('/v1/erasures', request);
      if (opening) this.keepOpening(erasure.id, opening);
      this.asked = this.foreseen = null;
      ask({ erasure: erasure.id, preview: null, who: null, me: null, check: null });
    });
  }

  async sign(erasure) {
    const { preview } = await get(path`/v1/erasures/${erasure.id}/preview`);
    const name = [this.opening(erasure.id)?.subject].find((who) => who !== 'owner');
    const code = codeOf(erasure);
    const check = (field) => {
      const typed = field.value.trim().toLowerCase();
      const isRight = typed === code.toLowerCase() || (name && typed === name.toLowerCase());
      field.setCustomValidity(isRight ? '' : t('forget.typeWrong'));
      return isRight;
    };
    const sign = async ({ target }) => {
      if (!check(target.typed)) return target.reportValidity();
      const numbers = [...target.querySelectorAll('input[name="take"]:checked')].map((box) => Number(box.value));
      await this.carryOut(erasure, numbers);
    };
    return html`
      <p>${t('forget.received', { moment: moment(erasure.receivedAt), due: date(erasure.dueAt) })}</p>
      ${erasure.counts.held ? note(t('forget.held', { n: erasure.counts.held }), 'warn') : null}
      <form class="stack loose" novalidate @submit=${sign}>
        <div class="stack">${goes(preview.places)}${hint('forget.derivedHint', 'small')}</div>
        ${preview.proposals.length ? html`<fieldset class="stack"><legend>${t('forget.proposals')}</legend>${hint('forget.choose', 'small')}${proposalList(preview.proposals, true)}</fieldset>` : null}
        <div class="card stack"><p>${t('forget.signHint')}</p>
          ${field('typed', t(name ? 'forget.typeName' : 'forget.typeCode', { name, code }), { className: 'short-field', required: true, spellcheck: false, oninput: (event) => check(event.target) })}
          ${hint('forget.staysOpen', 'small', { due: date(erasure.dueAt) })}
          <div class="row end">${button('forget.withdraw', () => this.withdraw(erasure), 'bare')}${linkTo('forget.notNow', '/ui/forget', 'bare')}${submit('forget.signIt', 'main danger')}</div></div>
      </form>`;
  }

  withdraw({ id }) {
    return trying(async () => {
      await remove(path`/v1/erasures/${id}`);
      keepForVisit(`opening.${id}`, null);
      ask({ erasure: null });
      tell(t('forget.withdrawn'));
    });
  }

  async carryOut(erasure, numbers) {
    await trying(async () => {
      const signed = await post(path`/v1/erasures/${erasure.id}/sign`, { take: 'none', numbers });
      if (signed.opening) this.keepOpening(erasure.id, signed.opening);
      this.show('work', working('signed'));
      this.watch(erasure.id);
      await postOnce(path`/v1/erasures/${erasure.id}/execute`);
    });
    this.update(this.route);
  }

  watch(id) {
    clearInterval(this.watching);
    this.watching = setInterval(async () => {
      const { erasure } = await get(path`/v1/erasures/${id}`).catch(() => ({}));
      const bar = this.find('.working');
      if (erasure && bar) bar.replaceWith(working(erasure.status));
    }, 700);
  }

  async work(erasure) {
    this.watch(erasure.id);
    return html`${working(erasure.status)}${row(button('forget.carryOn', () => this.carryOn(erasure)))}`;
  }

  async carryOn(erasure) {
    await postOnce(path`/v1/erasures/${erasure.id}/execute`).catch(tellRefusal);
    this.update(this.route);
  }

  async proof(erasure) {
    const { certificate: signed } = await get(path`/v1/erasures/${erasure.id}/certificate`);
    const opening = this.opening(erasure.id);
    const copy = opening ? { certificate: signed, opening } : signed;
    const save = () => download(`certificate-${erasure.id}.json`, copy);
    // Its opening is kept nowhere else, so it is saved at once.
    if (opening && keptForVisit(`saved.${erasure.id}`) !== '1') {
      keepForVisit(`saved.${erasure.id}`, '1');
      setTimeout(save);
    }
    return html`
      ${certificate(signed, erasure)}
      ${await verified(copy)}
      ${opening && note(t('forget.opening'))}
      ${erasure.notes && html`<div class="note warn">${notes(erasure.notes)}</div>`}
      ${row(button('forget.download', save, 'main', 'download'), button('forget.print', () => print()), erasure.status === 'partial' && button('forget.carryOn', () => this.carryOn(erasure)), linkTo('forget.anew', '/ui/forget', 'bare'))}`;
  }
}

function asked(data) {
  return { subject: data.get('subject').trim(), identifiers: linesOf(data.get('identifiers')), reason: data.get('reason') };
}

/** Whether one name may be the other mistyped: case, accents and order aside, two letters at most are others. */
function isNear(one, other) {
  const [a, b] = [one, other].map((name) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
  const lacks = (name, letters) => [...letters].filter((letter) => !name.includes(letter)).length;
  return lacks(a, b) + lacks(b, a) <= Math.min(2, a.length / 3) || (b.length > 2 && a.includes(b));
}

const codeOf = ({ id }) => id.slice(-6).toUpperCase();
const WORK = ['signed', 'executing', 'verifying', 'done'];
const working = (status) => html`<ol class="working" role="status">${WORK.map((name, n) => html`<li class=${[n < WORK.indexOf(status) && 'past', name === status && 'here']}>${t(`forget.working.${name}`)}</li>`)}</ol>`;
