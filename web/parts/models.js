// The model that answers, and connecting another: a server found on this machine, or a provider.

import { button, field, fold, get, hint, html, icon, may, muted, note, post, put, remove, row, submit, t, tell, tellIn, told, View } from '../lib/page.js';

const ROUTE = '/v1/chat-model';

class Models extends View {
  begin() {
    this.className = 'stack models';
    this.load();
  }

  async load() {
    this.draw(html`<p class="quiet small" role="status">${t(may('admin') ? 'models.looking' : 'models.without')}</p>`);
    if (may('admin')) this.show(await get(ROUTE).catch(() => ({ providers: [] })));
  }

  show(found) {
    const { model, servers, providers, mayConnect } = found;
    const choices = mayConnect ? [this.local(servers, model), this.provider(providers, model)] : hint('models.ownerOnly', 'small');
    this.draw(html`${model ? this.answering(model, found) : html`<p>${t('models.without')}</p>`}
      ${told()}${model && mayConnect ? fold(t('models.change'), html`<div class="stack loose">${choices}</div>`, 'stack') : choices}`);
  }

  answering({ name, origin, baseUrl, unusable }, { providers, mayConnect }) {
    // A provider on this machine may pass on what it is sent.
    const provider = providers.find((one) => one.baseUrl === baseUrl);
    return html`<div class="spread top"><p>${t('models.answering')} <b class="break">${name}</b><br />${muted(origin === 'connected' ? t(provider ? 'models.sentTo' : 'models.staysHere', provider) : t('models.configured'))}</p>
      ${origin === 'connected' && mayConnect && button('models.disconnect', () => this.act(() => remove(ROUTE), () => t('models.disconnected')), 'small')}</div>
      ${unusable && note([icon('warn'), ' ', t('models.unusable')], 'bad')}`;
  }

  local(servers, model) {
    if (!servers) return html`<p class="small quiet">${t('models.elsewhere')} <code>selfhood model connect</code></p>`;
    const again = row(button('models.again', () => this.load(), 'small bare', 'search'));
    return [servers.length ? servers.map((one) => this.server(one, model)) : hint('models.none', 'small'), again];
  }

  server({ name, baseUrl, models }, connected) {
    const id = `at-${new URL(baseUrl).port}`;
    const head = html`<p><b>${t('models.found', { name: name ?? t('models.some') })}</b> <code class="small quiet break">${baseUrl}</code><br />${muted(t('models.staysHere'))}</p>`;
    if (!models.length) return html`<section class="found-server stack">${head}<p class="small">${t('models.empty')}</p></section>`;
    return html`<form class="found-server stack" @submit=${({ target }) => this.connect(baseUrl, target.model.value)}>${head}
      ${choose(id, models, connected?.name)}</form>`;
  }

  provider(providers, model) {
    if (!providers.length) return null;
    const kept = providers.find(({ baseUrl }) => baseUrl === model?.baseUrl && model.hasApiKey);
    const submit = ({ target }) => {
      const { at, key, model: picked } = target;
      if (picked) this.connect(at.value, picked.value, key.value);
      else this.list(target);
    };
    const list = () => html`<div class="row"><button type="submit">${t('models.list')}</button></div>`;
    const reset = (event) => event.target.name === 'model' || event.currentTarget.querySelector('.listed').replaceChildren(list());
    return html`<details class="stack" .open=${Boolean(kept)}><summary>${t('models.provider')}</summary><form class="stack" @submit=${submit} @input=${reset}>${hint('models.providerHint', 'small')}
      ${field('provider', t('models.who'), { name: 'at', options: providers.map(({ name, baseUrl }) => [baseUrl, name]), value: kept?.baseUrl ?? providers[0].baseUrl })}
      ${field('api-key', t('models.key'), { name: 'key', type: 'password', spellcheck: false, placeholder: kept ? t('models.keyKept') : '', hint: t('models.keyHint') })}
      <div class="listed stack">${list()}</div></form></details>`;
  }

  async list(form) {
    const { models } = (await this.tried(post(`${ROUTE}/models`, { baseUrl: form.at.value, apiKey: form.key.value.trim() || undefined }))) ?? {};
    if (!models) return;
    form.querySelector('.listed').replaceChildren(choose('listed', models));
    form.querySelector('#listed').focus();
  }

  connect(baseUrl, model, key) {
    return this.act(() => put(ROUTE, { baseUrl, model, apiKey: key?.trim() || undefined }), () => t('models.connected', { model }));
  }

  async act(change, said) {
    const found = await this.tried(change());
    if (!found) return;
    this.show(found);
    tell(said());
    this.dispatchEvent(new Event('connected', { bubbles: true }));
  }

  async tried(asked) {
    const told = this.find('.told');
    told.replaceChildren();
    try {
      return await asked;
    } catch (refused) {
      tellIn(told, refused.message);
    }
  }
}

const choose = (id, models, picked) => html`<div class="row bottom">${field(id, t('models.model'), { name: 'model', options: models.map((name) => [name, name]), value: models.includes(picked) ? picked : models[0], more: 'grow' })}${submit('models.connect')}</div>`;

customElements.define('sh-models', Models);
