// All memories, heaviest now first, narrowed by what the address says.

import { ask, date, field, get, go, html, icon, may, nameOf, path, t, to, View, whenChanged, word } from '../lib/page.js';
import { empty } from '../parts/empty.js';
import { failed } from '../parts/loading.js';
import { CLASSES, memoryCard, memoryLink } from '../parts/memory-card.js';
import { newMemory } from '../parts/new-memory.js';
import '../parts/virtual-list.js';

const KINDS = ['episodic', 'semantic', 'procedural'];
/** From how much weight on, by what that is called. */
const WEIGHTS = { 0.75: 'vivid', 0.4: 'moderate' };
const PAGE = 200;
const PAUSE = 250;
/** Heights of a row, which stand in memory.css too. */
const WIDE_ROW = 84;
const NARROW_ROW = 96;

export class Screen extends View {
  begin() {
    this.draw(this.page());
    this.listen(matchMedia('(max-width: 56rem)'), 'change', () => this.list());
    whenChanged(this, this.persona, () => scrollY < 100 && this.list());
    this.update(this.route);
  }

  update({ query }) {
    const filters = this.querySelector('.filters');
    filters.replaceChildren(...this.filters(query));
    const words = this.querySelector('#by-q');
    if (words !== document.activeElement) words.value = query.q ?? '';
    const { at, q } = this.filter();
    this.querySelector('.moment').textContent = at ? t(q ? 'memories.fitAsOf' : 'memories.asOf', { day: date(at) }) : t(q ? 'memories.fitNow' : 'memories.now');
    this.list();
    if (query.add && may('write')) {
      ask({ add: null }, { replace: true });
      this.add();
    }
  }

  seek(words) {
    clearTimeout(this.seeking);
    this.seeking = setTimeout(() => this.isConnected && ask({ q: words.trim() }, { replace: true }), PAUSE);
  }

  filter() {
    const { q, kind, class: privacyClass, subject, tag, at, all, min, pinned } = this.route.query;
    return { q: q?.trim().slice(0, 500), kind, privacyClass, subject, tag, at: at && !Number.isNaN(+new Date(at)) ? new Date(at).toISOString() : undefined, minSalience: min, pinned: pinned === '1' ? 'true' : undefined, includeRedacted: all === '1' ? 'true' : undefined };
  }

  isNarrowed() {
    return Object.values(this.filter()).some(Boolean);
  }

  isNarrowedBesides() {
    return Object.entries(this.filter()).some(([name, value]) => name !== 'q' && value);
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
        this.refused = refused;
        return { items: [], done: true };
      }
    };
    const list = this.querySelector('sh-virtual-list');
    const asked = (this.asked = {});
    this.refused = null;
    const narrow = matchMedia('(max-width: 56rem)').matches;
    await list.start({ more, tall: narrow ? NARROW_ROW : WIDE_ROW, label: t('nav.memories'), row: (memory) => memoryCard(this.persona, memory, filter.at) });
    if (asked !== this.asked) return;
    const n = list.items.length;
    this.querySelector('.count').textContent = !n || !this.isNarrowed() ? '' : t(list.done ? 'memories.count' : 'memories.countMore', { n });
    this.querySelector('.none').replaceChildren(this.refused ? failed('memories', this.refused, () => this.list()) : list.done && !n ? this.none() : '');
  }

  none() {
    const { q, includeRedacted } = this.filter();
    const clear = html`<a class="button" href=${to(this.persona, 'memories')}>${t('memories.clear')}</a>`;
    const aside = includeRedacted ? null : html`<button @click=${() => ask({ all: true }, { replace: true })}>${t('memories.seekAside')}</button>`;
    if (q) return empty('search', t('memories.noneFound', { words: q }), t('memories.noneFoundHint'), html`<div class="row">${clear}${aside}</div>`);
    if (this.isNarrowed()) return empty('memories', t('memories.noneHere'), t('memories.noneHereHint'), clear);
    return empty('memories', t('memories.none'), t('memories.noneHint'), html`<a class="button main" href=${to(this.persona, 'chat')}>${t('memories.talk')}</a>`);
  }

  async add() {
    const made = await newMemory(this.persona);
    if (made) go(memoryLink(this.persona, made.id));
  }

  page() {
    const who = nameOf(this.persona);
    return html`
      <header><div><h1>${t('memories.title', { name: who })}</h1><p class="moment"></p></div>
        <div class="row">${may('admin') ? html`<a class="button bare" href=${to(this.persona, 'import')}>${icon('download')}${t('nav.import')}</a>` : null}${may('write') ? html`<button @click=${() => this.add()}>${icon('plus')}${t('memories.add')}</button>` : null}</div></header>
      <div class="find" role="search"><label for="by-q" class="unseen">${t('memories.search')}</label>${icon('search')}<input type="search" id="by-q" autocomplete="off" spellcheck="false" maxlength="500" placeholder=${matchMedia('(max-width: 56rem)').matches ? t('memories.search') : `${t('memories.search')}: ${t('memories.searchHint')}`} .value=${this.route.query.q ?? ''} @input=${(event) => this.seek(event.target.value)} /></div>
      <details class="narrowing" ?open=${this.isNarrowedBesides() || !matchMedia('(max-width: 56rem)').matches}><summary>${t('memories.filters')}</summary><form class="filters row" aria-label=${t('memories.filters')} @submit=${() => {}}></form></details>
      <p class="count small quiet" role="status"></p>
      <sh-virtual-list></sh-virtual-list>
      <div class="none"></div>`;
  }

  filters(query) {
    const pick = (name, group, values) => field(`by-${name}`, t(`memories.by.${name}`), { options: [['', t('memories.any')], ...values.map((value) => [value, typeof group === 'string' ? word(group, value) : group(value)])], value: query[name] ?? '', onchange: (event) => ask({ [name]: event.target.value }, { replace: true }) });
    const type = (name) => field(`by-${name}`, t(`memories.by.${name}`), { className: 'short', spellcheck: false, value: query[name] ?? '', onchange: (event) => ask({ [name]: event.target.value.trim() }, { replace: true }) });
    return [
      pick('kind', 'kind', KINDS),
      pick('class', 'class', CLASSES),
      pick('min', (value) => t(`memories.weight.${WEIGHTS[value]}`), ['0.75', '0.4']),
      type('subject'),
      type('tag'),
      field('by-at', t('curve.asOf'), { type: 'date', className: 'short', value: query.at?.slice(0, 10) ?? '', onchange: (event) => ask({ at: event.target.value }, { replace: true }) }),
      html`<label class="check"><input type="checkbox" .checked=${query.pinned === '1'} @change=${(event) => ask({ pinned: event.target.checked }, { replace: true })} /><span>${t('memories.pinned')}</span></label>`,
      html`<label class="check"><input type="checkbox" .checked=${query.all === '1'} @change=${(event) => ask({ all: event.target.checked }, { replace: true })} /><span>${t('memories.all')}</span></label>`,
    ];
  }
}
