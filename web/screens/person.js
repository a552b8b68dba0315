// What is known of one person, until when it may be kept, and what they can ask for.

import { askFirst, button, called, date, download, field, get, hint, html, icon, linkTo, Loading, may, muted, nameOf, note, path, post, postOnce, remove, row, t, table, tell, trying, vividness, word } from '../lib/page.js';
import { giveConsent } from '../parts/consent.js';
import { gist, ground, standing } from '../parts/memory-card.js';

export class Screen extends Loading {
  begin() {
    this.who = this.route.names.person;
    super.begin();
  }

  async fetch() {
    this.data = await get(path`/v1/subjects/${this.who}`);
    this.consents = Object.fromEntries(await Promise.all(this.data.known.map(async ({ persona }) => [persona, (await get(path`/v1/personas/${persona}/subjects/${this.who}/consents`)).data])));
  }

  heading() {
    return html`${back()}<header><h1>${called(this.who)}</h1></header>`;
  }

  missing() {
    return t('people.nobody');
  }

  page() {
    const { subject, known } = this.data;
    return html`
      ${back()}
      <header><div><h1>${called(subject.subject)}</h1><p>${t(`people.${subject.role}`)}, ${t('people.since', { day: date(subject.since) })}${subject.aliases.length ? `, ${t('people.aka', { names: subject.aliases.join(', ') })}` : ''}</p></div>
        ${row(button('people.export', () => this.export(), '', 'download'), may('erase') && linkTo(subject.role === 'owner' ? 'forget.me' : 'people.forget', path`/ui/forget?who=${subject.subject}`, '', 'forget'))}</header>
      ${subject.heldSince && note(t('people.heldSince', { day: date(subject.heldSince) }), 'warn')}
      ${known.map((one) => this.known(one))}
      ${known.length ? null : hint('people.knowsNothing')}
      ${this.rights()}`;
  }

  known({ persona, memories, mentionedIn, sessions, documents, traces }) {
    const name = nameOf(persona);
    return html`<section class="stack"><h2>${t('people.knows', { name })}</h2>
      <p class="facts quiet">${Object.entries({ sessions, documents: documents.length, traces, mentions: mentionedIn.length }).filter(([, n]) => n).map(([what, n]) => html`<span>${t(`people.${what}`, { n })}</span>`)}</p>
      ${kept(memories)}${table(t('people.knows', { name }), [t('nav.memory'), t('curve.vividness'), t('memory.class'), t('memory.kept')], memories.map(({ memory, retentionEndsAt }) => [[gist(persona, memory), ' ', memories.some((other) => other.memory.revises === memory.id) ? standing({ redactionStatus: 'corrected' }) : standing(memory)], vividness(memory.vividness), ground(memory), retentionEndsAt ? t('memory.until', { day: date(retentionEndsAt) }) : t('memory.always')]))}
      ${this.given(persona, name)}</section>`;
  }

  given(persona, name) {
    const consents = this.consents[persona] ?? [];
    const line = ({ classes, how, givenAt, withdrawnAt }) => html`<li>${classes.map((one) => word('class', one)).join(', ')}: <span class="said">${how}</span> ${muted(t(withdrawnAt ? 'people.consentEnded' : 'people.consentSince', { day: date(withdrawnAt ?? givenAt) }), '')}</li>`;
    return html`<h3>${t('people.consents')}</h3><div class="stack tight">${consents.length ? html`<ul>${consents.map(line)}</ul>` : hint('people.noConsent')}
      ${may('write') && row(button('people.consent', () => this.consent(persona, name)), consents.some(isGiven) && may('erase') && button('people.endConsentShort', () => this.endConsent(persona, name)))}</div>`;
  }

  async consent(persona, name) {
    if (await giveConsent(persona, name, this.who)) this.load();
  }

  async endConsent(persona, name) {
    const given = await askFirst({ title: 'people.endConsent', named: { name }, confirm: 'people.withdrawIt', danger: true, about: 'people.withdrawHint', act: () => remove(path`/v1/personas/${persona}/subjects/${this.who}/consents`) });
    if (!given) return;
    tell(t('people.consentIsEnded'));
    this.load();
  }

  rights() {
    const { subject } = this.data;
    return html`<section class="stack"><h2>${t('people.rights')}</h2><p class="quiet prose">${t('people.rightsHint')}</p><div class="row">
      ${button('people.addAlias', () => this.alias())}
      ${button(subject.heldSince ? 'people.lift' : 'people.hold', () => this.hold(subject.heldSince ? 'lift' : 'set'))}
      ${may('erase') && (this.onConsent().length > 0 || Object.values(this.consents).flat().some(isGiven)) && button('people.withdraw', () => this.withdraw(), 'danger')}</div></section>`;
  }

  export() {
    return this.act(async () => download(`${this.who}.json`, await get(path`/v1/subjects/${this.who}/export`)));
  }

  async alias() {
    const given = await askFirst({
      title: 'people.addAlias', confirm: 'common.save', body: html`${hint('people.aliasHint')}${field('alias', t('people.alias'), { required: true, maxLength: 256 })}`,
      act: (data) => post(path`/v1/subjects/${this.who}/aliases`, { alias: data.get('alias').trim() }),
    });
    if (given) this.load();
  }

  hold(hold) {
    return this.act(async () => {
      await post(path`/v1/subjects/${this.who}/hold`, { hold });
      tell(t(hold === 'set' ? 'people.heldNow' : 'people.liftedNow'), () => this.hold(hold === 'set' ? 'lift' : 'set'));
    });
  }

  async withdraw() {
    const given = await askFirst({ title: 'people.withdraw', confirm: 'people.withdrawIt', danger: true, about: 'people.withdrawHint', body: this.restsOnConsent() });
    if (!given) return;
    await this.act(async () => {
      const { pending, hidden, kept } = await postOnce(path`/v1/subjects/${this.who}/withdraw-consent`);
      tell(t('people.withdrawn', { n: pending.length, hidden: hidden.length, kept }));
    });
  }

  onConsent() {
    return this.data.known.flatMap(({ memories }) => memories).filter(({ memory }) => memory.consentBasis === 'explicit-consent');
  }

  restsOnConsent() {
    const theirs = this.onConsent();
    return html`<div class="note stack tight"><p>${t('people.onConsent', { n: theirs.length })}</p>${theirs.length ? html`<ul>${theirs.map(({ memory }) => html`<li class="said">${memory.gist}</li>`)}</ul>` : null}</div>`;
  }

  async act(act) {
    await trying(async () => {
      await act();
      await this.load();
    });
  }
}

const isGiven = ({ withdrawnAt }) => !withdrawnAt;
const back = () => html`<a class="back" href="/ui/people">${icon('back')}${t('nav.people')}</a>`;

function kept(memories) {
  const ends = memories.map(({ retentionEndsAt }) => retentionEndsAt).filter(Boolean).sort();
  if (!memories.length) return null;
  const without = memories.length - ends.length;
  return html`<p class="small">${ends.length ? t('people.retention', { n: ends.length, first: date(ends[0]), last: date(ends.at(-1)) }) : ''} ${without ? t('people.retentionNone', { n: without }) : ''}</p>`;
}
