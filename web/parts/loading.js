// A screen of what the server has: that it is being fetched, then what it is, or why it can't be shown and a button to
// try again.

import { html } from '../lib/html.js';
import { whenChanged } from '../lib/live.js';
import { button } from '../lib/pieces.js';
import { t } from '../lib/text.js';
import { openFolds, View } from '../lib/view.js';
import { empty } from './empty.js';

/** Why something can't be shown. A server that isn't there is called that, so that nothing looks empty. */
export function failed(sign, refused, again, title = t('common.closed')) {
  const isDown = refused.code === 'unreachable';
  return empty(isDown ? 'warn' : sign, isDown ? t('common.unreachable') : title, refused.message, button('chat.retry', again));
}

/** A screen has `fetch()` and `page()`. */
export class Loading extends View {
  /** What changes on the server is shown at once, unless something is typed into the screen or it `isBusy`. */
  begin({ follows = true } = {}) {
    if (follows) whenChanged(this, this.persona, () => this.isBusy || this.load());
    this.wait();
  }

  wait() {
    this.draw([this.heading(), html`<p class="wait" role="status">${t('common.loading')}</p>`]);
    this.load();
  }

  async load() {
    try {
      await this.fetch();
    } catch (refused) {
      return this.draw([this.heading(), failed(this.screen, refused, () => this.load(), this.missing?.())]);
    }
    const openAgain = openFolds(this);
    this.draw(this.page());
    this.update?.(this.route);
    openAgain();
  }

  heading() {
    return html`<header><h1>${t(`nav.${this.screen}`)}</h1></header>`;
  }
}
