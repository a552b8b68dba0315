// The reader's own choices, what this persona may remember, and the keys of programs.

import { acts, askFirst, button, check, choice, choose, currentPersona, date, field, get, group, head, html, language, LANGUAGES, Loading, may, path, post, remove, section, setLanguage, state, t, table, tag, tellRefusal, trying, word } from '../lib/page.js';
import { saveByKey } from '../lib/drafts.js';
import { setTheme, THEMES } from '../lib/theme.js';
import '../parts/agents.js';
import '../parts/models.js';
import { policyForm } from '../parts/policy-form.js';

export class Screen extends Loading {
  begin() {
    saveByKey(this, () => this.find('.policy')?.requestSubmit());
    super.begin({ follows: false });
  }

  async fetch() {
    const name = currentPersona()?.name;
    this.details = name ? await get(path`/personas/${name}`) : null;
    this.keys = may('admin') ? (await get('/v1/keys')).keys : [];
  }

  page() {
    return html`${head(t('nav.settings'), t(state.me.tenant === 'default' ? 'settings.version' : 'settings.about', state.me))}
      ${this.look()}${section(t('settings.model'), html`<sh-models></sh-models>`, 'card stack')}${this.details && may('write') && policyForm(this.details, () => this.load())}${section(t('agents.title'), html`<sh-agents></sh-agents>`, 'card stack')}${may('admin') && this.keyList()}`;
  }

  look() {
    return html`<section class="card stack"><h2>${t('settings.look')}</h2>
      ${group(t('settings.theme'), THEMES.map((one) => check(t(`settings.${one}`), { type: 'radio', name: 'theme', value: one, checked: choice('theme', 'system') === one, onchange: () => setTheme(one) })), 'row apart')}
      ${field('language', t('settings.pageLanguage'), { options: Object.entries(LANGUAGES), value: language(), onchange: (event) => setLanguage(event.target.value) })}
      ${check(t('help.letters'), { checked: choice('shortcuts', true), onchange: ({ target }) => choose('shortcuts', target.checked) })}</section>`;
  }

  keyList() {
    return html`<section class="card stack"><div class="spread"><h2>${t('settings.keys')}</h2>${button('settings.newKey', () => this.newKey())}</div>
      ${table(t('settings.keys'), [t('settings.key'), t('settings.scopes'), t('settings.speaks'), t('memory.formed'), acts(t('settings.revoke'))], this.keys.map((key) => [html`<code>${key.id}</code>`, key.scopes.map((scope) => word('scope', scope)).join(', '), t(`settings.speaks-${key.speaks}`), date(key.createdAt), key.revokedAt ? tag(t('settings.revoked')) : button('settings.revoke', () => this.revoke(key), 'small danger')]))}</section>`;
  }

  async newKey() {
    const given = await askFirst({ title: 'settings.newKey', confirm: 'settings.makeKey', body: group(t('settings.scopes'), ['read', 'write', 'erase', 'audit', 'admin', 'staff'].map((scope) => check(word('scope', scope), { name: 'scope', value: scope, checked: scope === 'read' || scope === 'write' }))) });
    if (!given) return;
    await trying(async () => {
      const { secret } = await post('/v1/keys', { scopes: given.getAll('scope') });
      await askFirst({ title: 'settings.keyMade', confirm: 'settings.kept', about: 'settings.once', body: html`<code class="break note">${secret}</code>` });
    });
    this.load();
  }

  async revoke(key) {
    if (await askFirst({ title: 'settings.revokeTitle', named: { id: key.id }, confirm: 'settings.revoke', danger: true, about: 'settings.revokeHint' })) await remove(path`/v1/keys/${key.id}`).catch(tellRefusal);
    this.load();
  }
}
