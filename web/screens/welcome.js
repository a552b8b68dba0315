// The first persona, or the next: who it is, how it remembers, how careful it is. A card that is dropped fills in the form,
// and at the side one sees whom one is making.

import { ask, get, patch, path, post } from '../lib/api.js';
import { faceOf, readCard } from '../lib/character-card.js';
import { html } from '../lib/html.js';
import { go, to } from '../lib/router.js';
import { loadState, state } from '../lib/state.js';
import { t } from '../lib/text.js';
import { View } from '../lib/view.js';
import { face } from '../parts/face.js';
import { icon } from '../parts/icon.js';
import '../parts/models.js';
import { tellRefusal } from '../parts/toasts.js';

// How strict a persona is: what the settings screen calls the safety tier.
const PRESETS = { careful: 3, usual: 2, open: 1 };
// How it remembers: the templates of POST /setup/persona, with a sign each.
const TEMPLATES = { assistant: 'semantic', companion: 'chat', hospitality: 'key', character: 'pride' };
const EMOJI = ['🌿', '🦉', '⚓', '🎭', '📚', '🛰️', '🐈', '☕'];
const LONGEST = 2000;

export class Screen extends View {
  begin() {
    this.className = 'door wide';
    this.draw(html`
      <div class="making">
      <form class="card stack loose" @submit=${(event) => (event.preventDefault(), this.make(new FormData(event.target)))} @input=${() => this.preview()}>
        <div class="stack"><h1>${t(state.personas.length ? 'welcome.another' : 'welcome.title')}</h1><p class="quiet">${t('welcome.about')}</p></div>
        <div class="told" role="alert"></div>
        ${this.dropZone()}
        <fieldset class="stack templates"><legend class="label">${t('welcome.template')}</legend><div class="choices">${Object.entries(TEMPLATES).map(([template, sign]) => html`<label class="choice"><input type="radio" name="template" value=${template} .checked=${template === 'assistant'} /><span class="stack tight"><b>${icon(sign)} ${t(`template.${template}.name`)}</b><span class="quiet small">${t(`template.${template}.means`)}</span></span></label>`)}</div></fieldset>
        <div class="row top"><div class="field grow"><label for="displayName">${t('welcome.name')}</label><input id="displayName" name="displayName" required maxlength="200" autocomplete="off" @input=${(event) => this.slug(event.target.value)} /></div>
        <div class="field"><label for="emoji">${t('welcome.emoji')}</label><input id="emoji" name="emoji" class="short" maxlength="16" autocomplete="off" list="emoji-list" /><datalist id="emoji-list">${EMOJI.map((one) => html`<option value=${one}></option>`)}</datalist></div></div>
        <div class="field"><label for="description">${t('welcome.description')}</label><textarea id="description" name="description" rows="4" maxlength="2000" class="said" placeholder=${t('welcome.descriptionHint')}></textarea></div>
        <div class="field"><label for="greeting">${t('welcome.greeting')}</label><textarea id="greeting" name="greeting" rows="2" maxlength="4000" class="said" placeholder=${t('welcome.greetingHint')}></textarea></div>
        <div class="field manner" hidden><label for="manner">${t('welcome.manner')}</label><textarea id="manner" name="manner" rows="4" class="said"></textarea><p class="hint">${t('welcome.mannerHint')}</p></div>
        <details class="stack"><summary>${t('welcome.more')}</summary>
          <div class="field"><label for="name">${t('welcome.folder')}</label><input id="name" name="name" required pattern="[a-z_][a-z0-9_\\-]{0,31}" autocomplete="off" spellcheck="false" /><p class="hint">${t('welcome.folderHint')}</p></div>
          <fieldset class="stack"><legend class="label">${t('welcome.privacy')}</legend>${Object.keys(PRESETS).map((preset) => html`<label class="check"><input type="radio" name="preset" value=${preset} .checked=${preset === 'usual'} /><span><b>${t(`welcome.${preset}`)}</b><br /><span class="quiet small">${t(`welcome.${preset}Hint`)}</span></span></label>`)}</fieldset></details>
        <section class="stack" aria-labelledby="model-title"><h2 id="model-title" class="label">${t('welcome.model')}</h2><sh-models></sh-models></section>
        <div class="row end">${state.personas.length ? html`<a class="button bare" href="/ui">${t('common.cancel')}</a>` : null}<button type="submit" class="main">${t('welcome.make')}</button></div>
      </form>
      <aside class="preview-card card stack" aria-label=${t('welcome.preview')}></aside></div>`);
    this.preview();
    this.querySelector('#displayName').focus();
  }

  dropZone() {
    const over = (event) => (event.preventDefault(), event.currentTarget.classList.add('over'));
    const out = (event) => event.currentTarget.classList.remove('over');
    const drop = (event) => (event.preventDefault(), out(event), this.fill(event.dataTransfer.files[0]));
    return html`<div class="drop row" @dragover=${over} @dragleave=${out} @drop=${drop}><label class="button small" for="card">${icon('files')}${t('welcome.card')}</label><input type="file" id="card" class="unseen" accept=".json,.png,.jpg,.jpeg,.webp,application/json,image/png,image/jpeg,image/webp" @change=${(event) => this.fill(event.target.files[0])} /><span class="small quiet from-card grow" role="status">${t('welcome.cardHint')}</span></div>`;
  }

  slug(typed) {
    const plain = typed.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
    const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^[-0-9]+|-+$/g, '').slice(0, 32);
    this.querySelector('#name').value = slug || (typed.trim() ? 'persona' : '');
  }

  /** Whom one is making, as talk would begin. */
  preview() {
    const value = (id) => this.querySelector(`#${id}`).value.trim();
    const name = value('displayName') || t('welcome.noName');
    const person = { displayName: name, emoji: value('emoji'), picture: this.picture };
    const template = this.querySelector('input[name="template"]:checked').value;
    this.querySelector('.preview-card').replaceChildren(html`<p class="small quiet">${t('welcome.preview')}</p><div class="with">${face(person, 'large')}<div><h2>${name}</h2><p class="small quiet">${t(`template.${template}.name`)}</p></div></div>
      <p class="said greeting">${value('greeting') || (value('displayName') ? t('chat.greeting', { name }) : '…')}</p>${value('description') ? html`<p class="small quiet described">${value('description')}</p>` : null}`);
  }

  /** Puts what a character card says into the form, where it can be read and changed. */
  async fill(file) {
    const card = file && (await readCard(file));
    const picture = card ? card.picture : file?.type.startsWith('image/') && !file.name.endsWith('.png') ? await faceOf(file) : undefined;
    this.querySelector('.from-card').textContent = t(card ? 'welcome.cardRead' : picture ? 'welcome.pictureRead' : 'welcome.cardNot', { name: card?.name });
    this.picture = picture ?? this.picture;
    if (!card) return this.preview();
    const { name, description, manner, greeting } = card;
    const field = (id) => this.querySelector(`#${id}`);
    field('displayName').value = name.slice(0, 200);
    this.slug(name);
    field('description').value = description.slice(0, LONGEST);
    field('greeting').value = greeting.slice(0, 4000);
    field('manner').value = [description.slice(LONGEST), manner].filter(Boolean).join('\n\n');
    this.querySelector('.manner').hidden = !field('manner').value;
    this.querySelector('input[name="template"][value="character"]').checked = true;
    this.preview();
  }

  async make(given) {
    const text = (name) => given.get(name).trim() || undefined;
    try {
      const { persona } = await post('/setup/persona', { name: text('name'), displayName: text('displayName'), emoji: text('emoji'), description: text('description'), greeting: text('greeting'), picture: this.picture, template: given.get('template') });
      await this.finish(persona, PRESETS[given.get('preset')], text('manner')).catch(tellRefusal);
      await loadState();
      go(to(persona.name, 'chat'));
    } catch (refused) {
      this.querySelector('.told').replaceChildren(html`<p class="note bad">${refused.message}</p>`);
      // The folder's name is folded away; whoever has to change it should see it.
      if (refused.code === 'name_taken') this.querySelector('form details').open = true;
      scrollTo(0, 0);
    }
  }

  /** What a persona that is there already gets besides; a refusal is told, and the persona stays. */
  async finish(persona, tier, manner) {
    if (tier !== 2) await patch(path`/personas/${persona.id}`, { safetyTier: tier });
    if (manner) await addToSoul(persona.name, manner);
  }
}

/** How it is goes where the persona's own file says what it cares about. */
async function addToSoul(persona, manner) {
  const { file } = await get('/files/SOUL.md', { persona });
  await ask('PUT', '/files/SOUL.md', { query: { persona }, body: { content: `${file.content.trimEnd()}\n\n# ${t('welcome.soul')}\n\n${manner}\n` }, headers: { 'if-match': file.etag } });
}

customElements.define('sh-welcome', Screen);
