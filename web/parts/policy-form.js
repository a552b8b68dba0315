// What a persona is called and looks like, and what it may remember.

import { check, emojiField, field, hint, html, loadState, may, patch, path, tell, tellIn, told } from '../lib/page.js';
import { language as pageLanguage, t } from '../lib/text.js';
import { draft, draftNote, keepDraft } from '../lib/drafts.js';
import { CLASSES } from './memory-card.js';

const SELF = ['displayName', 'emoji', 'greeting', 'language', 'timezone'];
const CONFABULATION = ['strict', 'moderate', 'permissive'];
const REHEARSAL = ['mentioned', 'rendered'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ro'];

/** `details` of GET /personas/{id}; `changed()` is called once something was saved. */
export function policyForm({ persona, document }, changed) {
  const { memoryPolicy: policy, identity } = document;
  const governs = may('admin');
  const draftName = `settings of ${persona.id}`;
  const typed = draft(draftName);
  const refusal = told();
  const save = async (event) => {
    const given = new FormData(event.target);
    try {
      const self = Object.fromEntries(SELF.map((name) => [name, given.get(name).trim()]));
      await patch(path`/personas/${persona.id}`, { ...self, ...(governs ? { safetyTier: Number(given.get('safetyTier')), memoryPolicy: written(policy, given) } : {}) });
      keepDraft(draftName);
      await loadState();
      tell(t('settings.changed'));
      changed();
    } catch (refused) {
      tellIn(refusal, refused.message);
    }
  };
  const pick = (name, values, value, label, hint) => field(`set-${name}`, t(`settings.${name}`), { name, options: values.map((one) => [one, label(one)]), value, hint });
  const tongues = new Intl.DisplayNames(pageLanguage(), { type: 'language' });
  const keep = policy.retentionPolicy.perPrivacyClass;
  const form = html`<form class="stack loose policy" @submit=${save} @input=${() => keepDraft(draftName, [...new FormData(form)])}>
    ${typed && draftNote(() => (keepDraft(draftName), changed()))}
    <section class="card stack"><h2>${t('settings.self', { name: persona.displayName })}</h2>
      <div class="row top">${field('set-displayName', t('welcome.name'), { name: 'displayName', required: true, maxLength: 200, value: persona.displayName, more: 'grow' })}${emojiField('set-emoji', persona.emoji)}</div>
      ${field('set-greeting', t('welcome.greeting'), { name: 'greeting', rows: 2, maxLength: 4000, className: 'said', value: persona.greeting ?? '' })}
      <div class="row top">${pick('language', [...new Set([...LANGUAGES, identity.language])], identity.language, (one) => tongues.of(one), t('settings.languageHint'))}
      ${field('set-timezone', t('settings.timezone'), { name: 'timezone', required: true, spellcheck: false, suggested: Intl.supportedValuesOf('timeZone'), value: identity.timezone, more: 'grow' })}</div>
    </section>
    <section class="card stack"><h2>${t('settings.of', { name: persona.displayName })}</h2>
      <fieldset class="stack" ?disabled=${!governs}><legend class="unseen">${t('settings.of', { name: persona.displayName })}</legend>
        ${check(t('settings.remembers'), { id: 'remembers', name: 'enabled', checked: policy.enabled })}
        <div class="grid-fields">
          ${pick('safetyTier', [0, 1, 2, 3], document.safetyTier, (n) => t(`settings.tiers.${n}`))}
          ${pick('confabulation', CONFABULATION, policy.confabulationPolicy, (one) => t(`settings.${one}`))}
          ${pick('rehearsal', REHEARSAL, policy.rehearsalPolicy, (one) => t(`settings.rehearsal-${one}`))}
          ${field('set-perTurn', t('settings.perTurn'), { name: 'perTurn', type: 'number', min: 1, max: 50, required: true, value: policy.maxMemoriesPerTurn })}
        </div>
        <fieldset class="stack tight"><legend class="label">${t('settings.retention')}</legend>${hint('settings.retentionHint', 'small')}
          <div class="grid-fields">${CLASSES.filter((name) => name in keep).map((name) => field(`keep-${name}`, t(`class.${name}`), { type: 'number', min: 1, max: 36500, placeholder: t('memory.always'), value: keep[name] ?? '' }))}</div></fieldset>
      </fieldset>
      ${hint(governs ? 'settings.more' : 'settings.notYours', 'small')}
    </section>
    ${refusal}<div class="row end"><button type="submit" class="main" title="Ctrl+S">${t('common.save')}</button></div></form>`;
  if (typed) fillIn(form, new Map(typed));
  return form;
}

function fillIn(form, typed) {
  for (const field of [...form.elements].filter((one) => one.name && !one.matches(':disabled'))) {
    if (field.type === 'checkbox') field.checked = typed.has(field.name);
    else field.value = typed.get(field.name);
  }
}

function written(policy, given) {
  const keep = Object.fromEntries(Object.keys(policy.retentionPolicy.perPrivacyClass).map((name) => [name, Number(given.get(`keep-${name}`)) || null]));
  return {
    ...policy,
    enabled: given.has('enabled'),
    confabulationPolicy: given.get('confabulation'),
    rehearsalPolicy: given.get('rehearsal'),
    maxMemoriesPerTurn: Number(given.get('perTurn')),
    retentionPolicy: { ...policy.retentionPolicy, perPrivacyClass: keep },
  };
}
