// The first persona, or the next: a name and who it is; how private it shall be; then talk.

import { ask, get, patch, path, post } from '../lib/api.js';
import { readCard } from '../lib/character-card.js';
import { html } from '../lib/html.js';
import { go, to } from '../lib/router.js';
import { loadState, state } from '../lib/state.js';
import { t } from '../lib/text.js';
import { View } from '../lib/view.js';
import { icon } from '../parts/icon.js';
import '../parts/models.js';
import { tellRefusal } from '../parts/toasts.js';

// How strict a persona is: what the settings screen calls the safety tier.
const PRESETS = { careful: 3, usual: 2, open: 1 };
// How it remembers: the templates of POST /setup/persona.
const TEMPLATES = ['assistant', 'companion', 'hospitality', 'character'];
const LONGEST = 2000;

export class Screen extends View {
  begin() {
    this.className = 'door wide';
    this.draw(html`
      <form class="card stack loose" @submit=${(event) => (event.preventDefault(), this.make(new FormData(event.target)))}>
        <div class="stack"><h1>${t(state.personas.length ? 'welcome.another' : 'welcome.title')}</h1><p class="quiet">${t('welcome.about')}</p></div>
        <div class="told" role="alert"></div>
        <div class="row"><label class="button small" for="card">${icon('files')}${t('welcome.card')}</label><input type="file" id="card" class="unseen" accept=".json,.png,application/json,image/png" @change=${(event) => this.fill(event.target.files[0])} /><span class="small quiet from-card" role="status">${t('welcome.cardHint')}</span></div>
        <div class="row top"><div class="field grow"><label for="displayName">${t('welcome.name')}</label><input id="displayName" name="displayName" required maxlength="200" autocomplete="off" @input=${(event) => this.slug(event.target.value)} /></div>
        <div class="field"><label for="emoji">${t('welcome.emoji')}</label><input id="emoji" name="emoji" class="short" maxlength="16" autocomplete="off" /></div></div>
        <div class="field"><label for="name">${t('welcome.folder')}</label><input id="name" name="name" required pattern="[a-z_][a-z0-9_\\-]{0,31}" autocomplete="off" spellcheck="false" /><p class="hint">${t('welcome.folderHint')}</p></div>
        <div class="field"><label for="description">${t('welcome.description')}</label><textarea id="description" name="description" rows="4" maxlength="2000" class="said" placeholder=${t('welcome.descriptionHint')}></textarea></div>
        <div class="field manner" hidden><label for="manner">${t('welcome.manner')}</label><textarea id="manner" name="manner" rows="4" class="said"></textarea><p class="hint">${t('welcome.mannerHint')}</p></div>
        <fieldset class="stack templates"><legend class="label">${t('welcome.template')}</legend>${TEMPLATES.map((template) => html`<label class="check"><input type="radio" name="template" value=${template} .checked=${template === 'assistant'} /><span><b>${t(`template.${template}.name`)}</b><br /><span class="quiet small">${t(`template.${template}.means`)}</span></span></label>`)}</fieldset>
        <fieldset class="stack"><legend class="label">${t('welcome.privacy')}</legend>${Object.keys(PRESETS).map((preset) => html`<label class="check"><input type="radio" name="preset" value=${preset} .checked=${preset === 'usual'} /><span><b>${t(`welcome.${preset}`)}</b><br /><span class="quiet small">${t(`welcome.${preset}Hint`)}</span></span></label>`)}</fieldset>
        <section class="stack" aria-labelledby="model-title"><h2 id="model-title" class="label">${t('welcome.model')}</h2><sh-models></sh-models></section>
        <div class="row end">${state.personas.length ? html`<a class="button bare" href="/ui">${t('common.cancel')}</a>` : null}<button type="submit" class="main">${t('welcome.make')}</button></div>
      </form>`);
    this.querySelector('#displayName').focus();
  }

  slug(typed) {
    const plain = typed.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase();
    this.querySelector('#name').value = plain.replace(/[^a-z0-9]+/g, '-').replace(/^[-0-9]+|-+$/g, '').slice(0, 32);
  }

  /** Puts what a character card says into the form, where it can be read and changed. */
  async fill(file) {
    const card = file && (await readCard(file));
    this.querySelector('.from-card').textContent = t(card ? 'welcome.cardRead' : 'welcome.cardNot', { name: card?.name });
    if (!card) return;
    const { name, description, manner } = card;
    const field = (id) => this.querySelector(`#${id}`);
    field('displayName').value = name.slice(0, 200);
    this.slug(name);
    field('description').value = description.slice(0, LONGEST);
    field('manner').value = [description.slice(LONGEST), manner].filter(Boolean).join('\n\n');
    this.querySelector('.manner').hidden = !field('manner').value;
  }

  async make(given) {
    const text = (name) => given.get(name).trim() || undefined;
    try {
      const { persona } = await post('/setup/persona', { name: text('name'), displayName: text('displayName'), emoji: text('emoji'), description: text('description'), template: given.get('template') });
      await this.finish(persona, PRESETS[given.get('preset')], text('manner')).catch(tellRefusal);
      await loadState();
      go(to(persona.name, 'chat'));
    } catch (refused) {
      this.querySelector('.told').replaceChildren(html`<p class="note bad">${refused.message}</p>`);
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
