// Who answers in talk, and which model servers on the server's own machine could: offered, never used unasked.

import { get } from '../lib/api.js';
import { html } from '../lib/html.js';
import { may } from '../lib/state.js';
import { t } from '../lib/text.js';
import { View } from '../lib/view.js';
import { copy } from './copy.js';
import { icon } from './icon.js';

const NAMED = 5;

class Models extends View {
  begin() {
    this.className = 'stack models';
    this.load();
  }

  async load() {
    this.draw(html`<p class="quiet small" role="status">${may('admin') ? t('models.looking') : t('models.without')}</p>`);
    if (!may('admin')) return;
    const { answering, servers } = await get('/v1/local-models').catch(() => ({}));
    this.draw(answering ? html`<p>${t('models.answering')} <b class="break">${answering}</b></p>` : [html`<p>${t('models.without')}</p>`, this.found(servers)]);
  }

  found(servers) {
    if (!servers) return html`<p class="small quiet">${t('models.elsewhere')} <code>selfhood doctor</code></p>`;
    const again = html`<button type="button" class="small" @click=${() => this.load()}>${icon('search')}${t('models.again')}</button>`;
    if (!servers.length) return html`<p class="small quiet">${t('models.none')} <code>server.model_ports</code></p><div class="row">${again}</div>`;
    return [servers.map(server), html`<div class="row">${again}</div>`];
  }
}

function server({ name, baseUrl, models, lines }) {
  const named = models.slice(0, NAMED).join(', ') + (models.length > NAMED ? ` ${t('models.more', { n: models.length - NAMED })}` : '');
  return html`<section class="found-server stack"><p><b>${t('models.found', { name: name ?? t('models.some') })}</b> <code class="break">${baseUrl}</code><br /><span class="small quiet break">${models.length ? t('models.has', { models: named }) : t('models.empty')}</span></p>
    <p class="small">${t('models.use')} <code>selfhood.toml</code>${t('models.useThen')}</p>
    <div class="to-copy"><pre tabindex="0" role="region" aria-label=${t('models.lines')}>${lines}</pre><button type="button" class="small" @click=${(event) => copy(lines, event.target.closest('.to-copy').querySelector('pre'))}>${icon('copy')}${t('common.copy')}</button></div></section>`;
}

customElements.define('sh-models', Models);
