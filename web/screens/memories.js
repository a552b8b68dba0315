// All memories, heaviest now first, narrowed by what the address says.

import { adjust, allowed, button, check, date, empty, failed, field, get, go, html, icon, linkTo, may, nameOf, path, refill, row, t, to, View, whenChanged, word } from '../lib/page.js';
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
const NARROW = matchMedia('(max-width: 56rem)');

export class Screen extends View {
  begin() {
    this.draw(this.page());
    this.listen(NARROW, 'change', () => this.list());
    whenChanged(this, this.persona, () => scrollY < 100 && this.list());
    this.update(this.route);
  }

  update({ query }) {
    refill(this.find('.filters'), this.filters(query));
    const words = this.find('#by-q');
    if (words !== document.activeElement) words.value = query.q ?? '';
    const { at, q } = this.filter();
    this.find('.moment').textContent = at ? t(q ? 'memories.fitAsOf' : 'memories.asOf', { day: date(at) }) : t(q ? 'memories.fitNow' : 'memories.now');
    this.list();
    if (query.add && may('write')) {
      adjust({ add: null });
      this.add();
    }
  }

  seek(words) {
    clearTimeout(this.seeking);
    this.seeking = setTimeout(() => this.isConnected && adjust({ q: words.trim() }), PAUSE);
  }

  filter() {
    const { q, kind, class: privacyClass, subject, tag, at, all, min, pinned } = this.route.query;
    return { q: q?.trim().slice(0, 500), kind, privacyClass, subject, tag, at: at && !Number.isNaN(+new Date(at)) ? new Date(at).toISOString() : undefined, minSalience: min, pinned: pinned === '1' ? 'true' : undefined, includeRedacted: all === '1' ? 'true' : undefined };
  }

  isNarrowed(besides) {
    return Object.entries(this.filter()).some(([name, value]) => name !== besides && value);
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
    const list = this.find('sh-virtual-list');
    const asked = (this.asked = {});
    this.refused = null;
    await list.start({ more, tall: NARROW.matches ? NARROW_ROW : WIDE_ROW, label: t('nav.memories'), row: (memory) => memoryCard(this.persona, memory, filter.at) });
    if (asked !== this.asked) return;
    const n = list.items.length;
    this.find('.count').textContent = !n || !this.isNarrowed() ? '' : t(list.done ? 'memories.count' : 'memories.countMore', { n });
    this.find('.none').replaceChildren(this.refused ? failed('memories', this.refused, () => this.list()) : list.done && !n ? this.none() : '');
  }

  none() {
    const { q, includeRedacted } = this.filter();
    const clear = linkTo('memories.clear', to(this.persona, 'memories'));
    const aside = includeRedacted ? null : button('memories.seekAside', () => adjust({ all: true }));
    if (q) return empty('search', t('memories.noneFound', { words: q }), t('memories.noneFoundHint'), row(clear, aside));
    if (this.isNarrowed()) return empty('memories', t('memories.noneHere'), t('memories.noneHereHint'), clear);
    return empty('memories', t('memories.none'), t('memories.noneHint'), linkTo('memories.talk', to(this.persona, 'chat'), 'main'));
  }

  async add() {
    const made = await newMemory(this.persona);
    if (made) go(memoryLink(this.persona, made.id));
  }

  page() {
    const who = nameOf(this.persona);
    return html`
      <header><div><h1>${t('memories.title', { name: who })}</h1><p class="moment"></p></div>
        <div class="row">${allowed('import') && linkTo('nav.import', to(this.persona, 'import'), 'bare', 'download')}${may('write') && button('memories.add', () => this.add(), '', 'plus')}</div></header>
      <div class="find" role="search"><label for="by-q" class="unseen">${t('memories.search')}</label>${icon('search')}<input type="search" id="by-q" autocomplete="off" spellcheck="false" maxlength="500" placeholder=${NARROW.matches ? t('memories.search') : `${t('memories.search')}: ${t('memories.searchHint')}`} .value=${this.route.query.q ?? ''} @input=${(event) => this.seek(event.target.value)} /></div>
      <details class="narrowing" ?open=${this.isNarrowed('q') || !NARROW.matches}><summary>${t('memories.filters')}</summary><form class="filters row" aria-label=${t('memories.filters')} @submit=${() => {}}></form></details>
      <p class="count small quiet" role="status"></p>
      <sh-virtual-list></sh-virtual-list>
      <div class="none"></div>`;
  }

  filters(query) {
    const by = (name, how) => field(`by-${name}`, t(`memories.by.${name}`), { value: query[name] ?? '', onchange: (event) => adjust({ [name]: event.target.value.trim() }), ...how });
    const pick = (name, values, label) => by(name, { options: [['', t('memories.any')], ...values.map((value) => [value, label(value)])] });
    const type = (name) => by(name, { className: 'short', spellcheck: false });
    return [
      pick('kind', KINDS, (kind) => word('kind', kind)),
      pick('class', CLASSES, (name) => word('class', name)),
      pick('min', ['0.75', '0.4'], (least) => t(`memories.weight.${WEIGHTS[least]}`)),
      type('subject'),
      type('tag'),
      by('at', { type: 'date', className: 'short', value: query.at?.slice(0, 10) ?? '' }),
      ...['pinned', 'all'].map((name) => check(t(`memories.${name}`), { checked: query[name] === '1', onchange: ({ target }) => adjust({ [name]: target.checked }) })),
    ];
  }
}
