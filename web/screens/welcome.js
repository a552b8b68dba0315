// The first persona, or the next: a name and who it is; how private it shall be; then talk.

import { patch, path, post } from '../lib/api.js';
import { html } from '../lib/html.js';
import { go, to } from '../lib/router.js';
import { loadState, state } from '../lib/state.js';
import { t } from '../lib/text.js';
import { View } from '../lib/view.js';
import '../parts/models.js';

// How strict a persona is: what the settings screen calls the safety tier.
const PRESETS = { careful: 3, usual: 2, open: 1 };

export class Screen extends View {
  begin() {
    this.className = 'door wide';
    this.draw(html`
      <form class="card stack loose" @submit=${(event) => (event.preventDefault(), this.make(new FormData(event.target)))}>
        <div class="stack"><h1>${t(state.personas.length ? 'welcome.another' : 'welcome.title')}</h1><p class="quiet">${t('welcome.about')}</p></div>
        <div class="told" role="alert"></div>
        <div class="row top"><div class="field grow"><label for="displayName">${t('welcome.name')}</label><input id="displayName" name="displayName" required maxlength="200" autocomplete="off" @input=${(event) => this.slug(event.target.value)} /></div>
        <div class="field"><label for="emoji">${t('welcome.emoji')}</label><input id="emoji" name="emoji" class="short" maxlength="16" autocomplete="off" /></div></div>
        <div class="field"><label for="name">${t('welcome.folder')}</label><input id="name" name="name" required pattern="[a-z_][a-z0-9_\\-]{0,31}" autocomplete="off" spellcheck="false" /><p class="hint">${t('welcome.folderHint')}</p></div>
        <div class="field"><label for="description">${t('welcome.description')}</label><textarea id="description" name="description" rows="4" maxlength="2000" class="said" placeholder=${t('welcome.descriptionHint')}></textarea></div>
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

  async make(given) {
    const text = (name) => given.get(name).trim() || undefined;
    try {
      const { persona } = await post('/setup/persona', { name: text('name'), displayName: text('displayName'), emoji: text('emoji'), description: text('description') });
      const tier = PRESETS[given.get('preset')];
      if (tier !== 2) await patch(path`/personas/${persona.id}`, { safetyTier: tier });
      await loadState();
      go(to(persona.name, 'chat'));
    } catch (refused) {
      this.querySelector('.told').replaceChildren(html`<p class="note bad">${refused.message}</p>`);
    }
  }
}

customElements.define('sh-welcome', Screen);
