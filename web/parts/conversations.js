// The conversations one had with a persona, at the side of the one that is open.

import { button, distance, get, hint, html, icon, muted, path, t, to, View, whenChanged } from '../lib/page.js';

const PAGE = 40;

export class Conversations extends View {
  begin() {
    this.data ??= [];
    whenChanged(this, this.persona, () => this.load());
    this.draw(this.page());
    this.load();
  }

  /** `picked` is called when one is chosen, so that a sheet can close. */
  set({ persona, subject, session, picked }) {
    const isOther = this.persona !== undefined && (persona !== this.persona || subject !== this.subject);
    Object.assign(this, { persona, subject, session, picked: picked ?? this.picked });
    if (!this.isConnected) return this;
    this.show();
    if (isOther) this.load();
    return this;
  }

  async load(cursor) {
    const { persona, subject } = this;
    const { data, nextCursor, refused } = await get(path`/v1/personas/${persona}/sessions`, { subject, cursor, limit: cursor ? PAGE : Math.max(PAGE, this.data.length) }).catch((refused) => ({ refused }));
    if (persona !== this.persona || subject !== this.subject) return;
    this.refused = refused;
    if (data) Object.assign(this, { data: cursor ? [...this.data, ...data] : data, nextCursor });
    this.show();
  }

  /** Draws what is another: a link that is being pressed stays where it is. */
  show() {
    const page = this.page();
    if (page.childNodes.length !== this.childNodes.length || [...page.childNodes].some((node, n) => !node.isEqualNode(this.childNodes[n]))) this.draw(page);
  }

  address(query) {
    return `${to(this.persona, 'chat')}?${new URLSearchParams({ ...(this.subject ? { as: this.subject } : {}), ...query })}`;
  }

  page() {
    const picked = () => this.picked?.();
    return html`
      <a class="button main wide" href=${this.address({ new: '1' })} @click=${picked}>${icon('plus')}${t('chat.new')}</a>
      ${this.refused && html`<p class="small note bad">${this.refused.message}</p>${button('chat.retry', () => this.load(), 'small')}`}
      ${this.data.length ? html`<ul>${this.data.map((one) => html`<li><a href=${this.address({ session: one.id })} aria-current=${one.id === this.session ? 'true' : null} @click=${picked}><span class="title">${one.title ?? t('chat.untitled')}</span>${muted(distance(one.lastAt))}</a></li>`)}</ul>` : this.refused ? null : hint('chat.noConversations', 'small')}
      ${this.nextCursor && button('chat.more', () => this.load(this.nextCursor), 'bare small')}`;
  }
}

customElements.define('sh-conversations', Conversations);
