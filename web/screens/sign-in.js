// Coming in: by the link that the server printed, or by a key.

import { field, follow, go, hint, html, loadState, note, otherLanguages, post, setLanguage, submit, t, told, View } from '../lib/page.js';

export class Screen extends View {
  begin() {
    this.className = 'door';
    const link = location.hash.slice(1);
    // A link works once; it should not stay in the history either.
    if (link) history.replaceState(null, '', location.pathname + location.search);
    this.draw(this.page(link));
    if (link) this.enter({ link });
    else this.find('#key').focus();
  }

  async enter(body) {
    const told = this.find('.told');
    told.replaceChildren();
    try {
      await post('/v1/sign-in', body);
      await loadState();
      follow();
      const next = this.route.query.next;
      go(next?.startsWith('/ui') ? next : '/ui', { replace: true });
    } catch (refused) {
      told.replaceChildren(note(refused.message, 'bad'));
      this.find('form').hidden = false;
      this.find('#key').focus();
    }
  }

  page(link) {
    const sign = (event) => {
      this.enter({ key: event.target.key.value.trim() });
      event.target.reset();
    };
    return html`
      <div class="card stack">
        <svg class="door-curve" viewBox="0 0 320 90" aria-hidden="true"><path class="was" d="M4 14C80 14 96 58 176 70" /><path class="will" d="M176 70C220 76 260 78 316 79" /><circle cx="176" cy="70" r="6" /></svg>
        <h1>Selfhood</h1>
        ${hint('signIn.about')}
        ${told(this.route.query.ended && note(t('signIn.ended'), 'warn'))}
        <form class="stack" ?hidden=${Boolean(link)} @submit=${sign}>
          ${field('key', t('signIn.key'), { type: 'password', required: true, spellcheck: false, placeholder: 'sh_…' })}
          ${submit('signIn.enter')}
          <p class="small quiet">${t('signIn.hint')} <code>selfhood key sign-in</code></p>
        </form>
        <p class="row small">${otherLanguages().map(([name, own]) => html`<button class="bare small" lang=${name} @click=${() => setLanguage(name)}>${own}</button>`)}</p>
      </div>`;
  }
}
