// All memories, heaviest now first, narrowed by what the address says.

import { get, path } from '../lib/api.js';
import { html } from '../lib/html.js';
import { whenChanged } from '../lib/live.js';
import { ask, go, to } from '../lib/router.js';
import { may, personaNamed } from '../lib/state.js';
import { t, word } from '../lib/text.js';
import { date } from '../lib/time.js';
import { View } from '../lib/view.js';
import { empty } from '../parts/empty.js';
import { icon } from '../parts/icon.js';
import { memoryCard, memoryLink } from '../parts/memory-card.js';
import { newMemory } from '../parts/new-memory.js';
import { tellRefusal } from '../parts/toasts.js';
import '../parts/virtual-list.js';

const KINDS = ['episodic', 'semantic', 'procedural'];
const CLASSES = ['non-pii', 'aggregate', 'commercial-confidential', 'staff-pii', 'guest-pii', 'sensitive-pii'];
const PAGE = 200;

export class Screen extends View {
  begin() {
    this.className = 'screen';
    this.persona = this.route.names.persona;
    this.draw(this.page());
    this.listen(matchMedia('(max-width: 56rem)'), 'change', () => this.list());
    whenChanged(this, this.persona, () => scrollY < 100 && this.list());
    this.update(this.route);
  }

  update({ query }) {
    const filters = this.querySelector('.filters');
    filters.replaceChildren(...this.filters(query));
    this.querySelector('.moment').textContent = this.filter().at ? t('memories.asOf', { day: date(this.filter().at) }) : t('memories.now');
    this.list();
  }

  filter() {
    const { kind, class: privacyClass, subject, tag, at, all, min } = this.route.query;
    return { kind, privacyClass, subject, tag, at: at && !Number.isNaN(+new Date(at)) ? new Date(at).toISOString() : undefined, minSalience: min, includeRedacted: all === '1' ? 'true' : undefined };
  }

  isNarrowed() {
    return Object.values(this.filter()).some(Boolean);
  }

  async list() {
    const filter = this.filter();
    let cursor;
    const more = async () => {
      try {
        const page = await get(path`/v1/personas/${this.persona}/memories`, { ...filter, limit: PAGE, cursor });
        cursor = page.nextCursor;
        return { items: page.data, done: !cursor };
      } catch (refused) {
        tellRefusal(refused);
        return { items: [], done: true };
      }
    };
    const list = this.querySelector('sh-virtual-list');
    const narrow = matchMedia('(max-width: 56rem)').matches;
    await list.start({ more, tall: narrow ? 148 : 104, label: t('nav.memories'), row: (memory) => memoryCard(this.persona, memory, filter.at) });
    const none = list.done && !list.items.length;
    const narrowed = this.isNarrowed();
    this.querySelector('.none').replaceChildren(none ? empty('memories', t(narrowed ? 'memories.noneHere' : 'memories.none'), t(narrowed ? 'memories.noneHereHint' : 'memories.noneHint'), narrowed ? html`<a class="button" href=${to(this.persona, 'memories')}>${t('memories.clear')}</a>` : html`<a class="button main" href=${to(this.persona, 'chat')}>${t('memories.talk')}</a>`) : '');
  }

  async add() {
    const made = await newMemory(this.persona);
    if (made) go(memoryLink(this.persona, made.id));
  }

  page() {
    const who = personaNamed(this.persona)?.displayName ?? this.persona;
    return html`
      <header><div><h1>${t('memories.title', { name: who })}</h1><p class="moment"></p></div>
        ${may('write') ? html`<button type="button" @click=${() => this.add()}>${icon('plus')}${t('memories.add')}</button>` : null}</header>
      <details class="narrowing" ?open=${this.isNarrowed() || !matchMedia('(max-width: 56rem)').matches}><summary>${t('memories.filters')}</summary><form class="filters row" role="search" aria-label=${t('memories.filters')} @submit=${(event) => event.preventDefault()}></form></details>
      <sh-virtual-list></sh-virtual-list>
      <div class="none"></div>`;
  }

  filters(query) {
    const pick = (name, group, values) => html`
      <div class="field"><label for=${`by-${name}`}>${t(`memories.by.${name}`)}</label>
        <select id=${`by-${name}`} .value=${query[name] ?? ''} @change=${(event) => ask({ [name]: event.target.value }, { replace: true })}>
          <option value="">${t('memories.any')}</option>${values.map((value) => html`<option value=${value}>${group ? word(group, value) : value}</option>`)}
        </select></div>`;
    const type = (name) => html`<div class="field"><label for=${`by-${name}`}>${t(`memories.by.${name}`)}</label><input id=${`by-${name}`} class="short" autocomplete="off" spellcheck="false" .value=${query[name] ?? ''} @change=${(event) => ask({ [name]: event.target.value.trim() }, { replace: true })} /></div>`;
    return [
      pick('kind', 'kind', KINDS),
      pick('class', 'class', CLASSES),
      pick('min', 'weight', ['0.75', '0.4']),
      type('subject'),
      type('tag'),
      html`<div class="field"><label for="by-at">${t('curve.asOf')}</label><input type="date" id="by-at" class="short" .value=${query.at?.slice(0, 10) ?? ''} @change=${(event) => ask({ at: event.target.value }, { replace: true })} /></div>`,
      html`<label class="check"><input type="checkbox" .checked=${query.all === '1'} @change=${(event) => ask({ all: event.target.checked }, { replace: true })} /><span>${t('memories.all')}</span></label>`,
    ];
  }
}

customElements.define('sh-memories', Screen);
