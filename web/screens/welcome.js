// A new persona from a form or from a character card, with a live preview.

import { check, emojiField, face, field, go, group, hint, html, icon, language, linkTo, loadState, muted, patch, path, post, section, state, submit, t, tellIn, tellRefusal, to, told, View } from '../lib/page.js';
import { faceOf } from '../lib/face-of.js';
import { base64, dropZone } from '../parts/drop-zone.js';
import '../parts/models.js';

// How strict a persona is: the safety tier of its template, or another.
const PRESETS = { careful: 3, usual: undefined, open: 1 };
// How it remembers: the templates of POST /setup/persona, with a sign each.
const TEMPLATES = { assistant: 'semantic', companion: 'chat', hospitality: 'key', character: 'pride' };

export class Screen extends View {
  begin() {
    this.className = 'door wide';
    this.draw(html`
      <div class="making">
      <form class="card stack loose" @submit=${({ target }) => this.make(new FormData(target))} @input=${() => this.preview()}>
        <div class="stack"><h1>${t(state.personas.length ? 'welcome.another' : 'welcome.title')}</h1>${hint('welcome.about')}</div>
        ${told()}
        <div class="row top">${field('displayName', t('welcome.name'), { required: true, maxLength: 200, oninput: (event) => this.slug(event.target.value), more: 'grow' })}
        ${emojiField('emoji')}</div>
        ${group(t('welcome.template'), html`<div class="choices">${Object.entries(TEMPLATES).map(([template, sign]) => html`<label class="choice"><input type="radio" name="template" value=${template} .checked=${template === 'assistant'} /><span class="stack tight"><b>${icon(sign)} ${t(`template.${template}.name`)}</b>${muted(t(`template.${template}.means`))}</span></label>`)}</div>`, 'stack templates')}
        ${field('description', t('welcome.description'), { rows: 4, maxLength: 2000, className: 'said', placeholder: t('welcome.descriptionHint'), more: 'described-by' })}
        ${field('greeting', t('welcome.greeting'), { rows: 2, maxLength: 4000, className: 'said', placeholder: t('welcome.greetingHint') })}
        <details class="stack"><summary>${t('welcome.more')}</summary>
          ${field('name', t('welcome.folder'), { required: true, pattern: '[a-z_][a-z0-9_\\-]{0,31}', spellcheck: false, oninvalid: () => this.showFolder(t('welcome.folderNeeded')), hint: t('welcome.folderHint') })}
          ${group(t('welcome.privacy'), Object.keys(PRESETS).map((preset) => check(html`<b>${t(`welcome.${preset}`)}</b><br />${muted(t(`welcome.${preset}Hint`))}`, { type: 'radio', name: 'preset', value: preset, checked: preset === 'usual' })))}</details>
        <div class="row end">${state.personas.length ? linkTo('common.cancel', '/ui', 'bare') : null}${submit('welcome.make')}</div>
      </form>
      <div class="stack beside"><aside class="preview-card card stack" aria-label=${t('welcome.preview')}></aside>
      ${section(t('welcome.model'), html`<sh-models></sh-models>`, 'card stack')}
      ${section(t('welcome.cardTitle'), dropZone({ id: 'card', label: t('welcome.card'), hint: t('welcome.cardHint'), accept: '.json,.png,.jpg,.jpeg,.webp,.charx', take: (file) => this.take(file) }), 'card stack')}</div></div>`);
    this.preview();
    // Under a thumb, the keyboard would hide half of the form.
    if (!matchMedia('(pointer: coarse)').matches) this.find('#displayName').focus();
    if (state.dropped) this.take(state.dropped);
    state.dropped = null;
  }

  showFolder(told) {
    this.find('form details').open = true;
    tellIn(this.find('.told'), told);
  }

  slug(typed) {
    const plain = typed.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
    const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^[-0-9]+|-+$/g, '').slice(0, 32);
    this.find('#name').value = slug || (typed.trim() ? 'persona' : '');
  }

  preview() {
    const value = (id) => this.find(`#${id}`).value.trim();
    const name = value('displayName') || t('welcome.noName');
    const person = { displayName: name, emoji: value('emoji'), picture: this.picture };
    const template = this.find('input[name="template"]:checked').value;
    this.find('.preview-card').replaceChildren(html`${hint('welcome.preview', 'small')}<div class="with">${face(person, 'large')}<div><h2>${name}</h2><p class="small quiet">${t(`template.${template}.name`)}</p></div></div>
      <p class="said greeting">${value('greeting') || (value('displayName') ? t('chat.greeting', { name }) : '…')}</p>${value('description') && html`<p class="small quiet described">${value('description')}</p>`}`);
  }

  /** Shows what a character card says; all of it, lorebook included, becomes the persona. */
  async take(file) {
    const card = await base64(file).then((sent) => post('/v1/cards', { file: sent, dryRun: true }).then((read) => ({ ...read, file: sent }))).catch(() => null);
    const picture = await faceOf(file);
    this.find('.drop span').textContent = card ? `${t('welcome.cardRead', { name: card.displayName })} ${card.memories ? t('welcome.cardLore', { n: card.memories }) : ''}` : t(picture ? 'welcome.pictureRead' : 'welcome.cardNot');
    this.picture = picture ?? this.picture;
    if (card) {
      this.card = card;
      const field = (id) => this.find(`#${id}`);
      field('displayName').value = card.displayName;
      this.slug(card.displayName);
      field('description').value = card.description ?? '';
      field('greeting').value = card.greeting ?? '';
      this.find('input[name="template"][value="character"]').checked = true;
      // The card itself says who it is.
      for (const hidden of this.querySelectorAll('.templates, .described-by')) hidden.hidden = true;
    }
    this.preview();
  }

  async make(given) {
    const text = (name) => given.get(name).trim() || undefined;
    const looks = { displayName: text('displayName'), emoji: text('emoji'), greeting: text('greeting')?.slice(0, 4000), picture: this.picture };
    // A persona of one's own speaks the language it was made in; a card speaks for itself.
    const more = { safetyTier: PRESETS[given.get('preset')], timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...(this.card ? looks : { language: language() }) };
    try {
      const { persona } = await (this.card ? post('/v1/cards', { file: this.card.file, name: text('name') }) : post('/setup/persona', { ...looks, name: text('name'), description: text('description'), template: given.get('template') }));
      // The persona stays even if this is refused.
      await patch(path`/personas/${persona.id}`, more).catch(tellRefusal);
      await loadState();
      go(to(persona.name, 'chat'));
    } catch (refused) {
      if (refused.code === 'name_taken') this.showFolder(t('welcome.folderTaken', { name: text('name') }));
      else tellIn(this.find('.told'), refused.message);
    }
  }
}
