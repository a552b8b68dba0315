// A long list of which only what is near the window exists, fetched page by page.

import { View } from '../lib/view.js';

const BEYOND = 900;

class VirtualList extends View {
  begin() {
    this.setAttribute('role', 'feed');
    this.listen(window, 'scroll', () => this.soon());
    this.listen(window, 'resize', () => this.soon());
  }

  /** `row` makes a node of an item; `more` gives { items, done } for the next page. */
  start({ row, more, tall, label }) {
    Object.assign(this, { row, more, tall, items: [], done: false, loading: null, shown: '' });
    this.setAttribute('aria-label', label);
    this.replaceChildren();
    return this.fetchMore();
  }

  async fetchMore() {
    if (this.loading || this.done) return this.loading;
    const asked = this.more;
    this.setAttribute('aria-busy', 'true');
    this.loading = asked(this.items.length);
    const page = await this.loading;
    if (this.more !== asked) return;
    this.loading = null;
    this.items.push(...page.items);
    this.done = page.done;
    this.setAttribute('aria-busy', 'false');
    this.place();
  }

  soon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.place();
    });
  }

  place() {
    if (!this.items || !this.isConnected) return;
    this.hidden = this.done && !this.items.length;
    this.style.height = `${this.items.length * this.tall}px`;
    const top = -this.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor((top - BEYOND) / this.tall));
    const last = Math.min(this.items.length, Math.ceil((top + innerHeight + BEYOND) / this.tall));
    const shown = `${first}-${last}-${this.items.length}`;
    if (shown !== this.shown) {
      this.shown = shown;
      const kept = new Map([...this.children].map((child) => [child.item, child]));
      const rows = this.items.slice(first, last).map((item, n) => {
        const node = kept.get(item) ?? Object.assign(this.row(item), { item });
        node.style.transform = `translateY(${(first + n) * this.tall}px)`;
        node.setAttribute('aria-posinset', first + n + 1);
        node.setAttribute('aria-setsize', this.done ? this.items.length : -1);
        return node;
      });
      this.replaceChildren(...rows);
    }
    if (last >= this.items.length - 10) this.fetchMore();
  }
}

customElements.define('sh-virtual-list', VirtualList);
