// The files a persona is made of: read, edited, saved only over what was seen.
// At the foot, everything that was said, found by words and meaning.

import { ask as request } from '../lib/api.js';
import { draft, draftNote, keepDraft, saveByKey } from '../lib/drafts.js';
import { ask, button, clock, date, get, head, html, icon, Loading, may, muted, note, path, row, t, tell, tellRefusal, to, told, trying } from '../lib/page.js';
import { fillWhenSeen } from '../parts/markdown.js';

const fileAddress = (name) => `/files/${name.split('/').map(encodeURIComponent).join('/')}`;

export class Screen extends Loading {
  begin() {
    saveByKey(this, () => this.saveNow?.());
    super.begin({ follows: false });
  }

  async fetch() {
    this.list = await get('/files', { persona: this.persona });
  }

  async update({ query }) {
    if (!this.list) return;
    const name = query.name ?? this.list.files.find((file) => file.name === 'IDENTITY.md')?.name ?? this.list.files[0]?.name;
    this.querySelectorAll('.files a').forEach((link) => (link.dataset.name === name ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current')));
    if (name && name !== this.opened) await this.open(name);
    if ((query.q ?? '') !== this.sought) this.seek(query.q ?? '');
  }

  async open(name) {
    this.opened = name;
    await trying(async () => {
      const { file } = await get(fileAddress(name), { persona: this.persona });
      if (this.opened === name) this.edit(file);
    });
  }

  edit(file) {
    const mayWrite = file.writable && may('write');
    const preview = html`<div class="words said preview" hidden tabindex="0" role="region" aria-label=${t('files.preview')}></div>`;
    const typed = draft(this.draftOf(file));
    // What was typed is saved only over what it was typed into.
    const { content, etag } = typed ?? file;
    const area = html`<textarea id="content" rows="20" spellcheck="true" ?readonly=${!mayWrite} .value=${content} @input=${() => keepDraft(this.draftOf(file), { content: area.value, etag })}></textarea>`;
    this.saveNow = mayWrite ? () => this.save(file, etag) : null;
    const look = (event) => {
      const shows = preview.toggleAttribute('hidden') === false;
      area.hidden = shows;
      event.currentTarget.setAttribute('aria-pressed', shows);
      if (shows) fillWhenSeen(preview, area.value);
    };
    this.find('.editor').replaceChildren(html`
      <div class="spread"><h2><label for="content">${file.name}</label></h2><p class="small quiet">${t('files.tokens', { n: file.tokens })}${file.tier ? `, ${t(`files.loads.${file.tier}`)}` : ''}</p></div>
      ${told(typed && draftNote(() => this.discard(file)))}
      ${area}${preview}
      ${row(file.name.endsWith('.md') && html`<button aria-pressed="false" @click=${look}>${t('files.preview')}</button>`, mayWrite ? html`<button class="main push" title="Ctrl+S" @click=${() => this.saveNow()}>${t('common.save')}</button>` : muted(t('files.readOnly'), 'small push'))}
      ${file.name === 'persona.json' && note(t('files.unsigns'), 'warn small')}`);
  }

  draftOf(file) {
    return `${this.persona}/${file.name}`;
  }

  discard(file) {
    keepDraft(this.draftOf(file));
    return this.open(file.name);
  }

  async save(file, etag) {
    const { value: content } = this.find('#content');
    try {
      await request('PUT', fileAddress(file.name), { query: { persona: this.persona }, body: { content }, headers: { 'if-match': etag } });
      tell(t('files.saved', { name: file.name }));
      keepDraft(this.draftOf(file));
      this.opened = null;
      await this.load();
    } catch (refused) {
      if (refused.status === 412) this.choose(file);
      else tellRefusal(refused);
    }
  }

  /** It was saved elsewhere meanwhile: which text stays is the reader's choice. */
  choose(file) {
    const over = () => trying(async () => this.save(file, (await get(fileAddress(file.name), { persona: this.persona })).file.etag));
    this.find('.told').replaceChildren(html`<div class="note warn stack tight"><p>${t('files.changed')}</p>${row(button('files.over', over, 'small'), button('files.theirs', () => this.discard(file), 'small'))}</div>`);
  }

  async seek(q) {
    this.sought = q;
    const found = this.find('.found');
    if (!q) return found.replaceChildren();
    try {
      const { days, total } = await get('/sessions/search', { q, persona: this.persona });
      found.replaceChildren(html`<p class="quiet small" role="status">${t('files.found', { n: total })}</p>`, ...days.map((day) => this.day(day)));
    } catch (refused) {
      found.replaceChildren(note(refused.message, 'bad'));
    }
  }

  day({ date: on, results }) {
    return html`<section class="stack"><h3>${date(on)}</h3><ul class="stack">${results.map((result) => html`<li class="found-turn"><p class="said">${marked(result)}</p><p class="facts"><span class="quiet">${t(`files.by.${result.speaker}`)}, ${clock(result.at)}</span><a href=${to(this.persona, 'chat') + path`?session=${result.sessionId}&find=${firstMarked(result)}`}>${result.title ?? t('files.conversation')}</a></p></li>`)}</ul></section>`;
  }

  page() {
    const groups = Map.groupBy(this.list.files, (file) => file.tier ?? (file.name.startsWith('sessions/') ? 'days' : 'never'));
    const search = ({ target }) => ask({ q: target.q.value.trim() });
    return html`
      ${head(t('nav.files'), t('files.about', { n: this.list.tokens }))}
      <div class="desk">
        <nav class="files stack" aria-label=${t('nav.files')}>${[1, 2, 3, 4, 'never', 'days'].map((group) => groups.has(group) && html`<div><h2 class="label">${t(`files.tiers.${group}`)}</h2><ul>${groups.get(group).map((file) => html`<li><a href=${to(this.persona, 'files') + path`?name=${file.name}`} data-name=${file.name} @click=${(event) => (event.preventDefault(), ask({ name: file.name }))}><span class="break">${file.name.replace('sessions/', '')}</span>${muted(file.tokens)}</a></li>`)}</ul></div>`)}</nav>
        <section class="editor card stack"></section>
      </div>
      <section class="stack seek"><h2>${t('files.search')}</h2>
        <form class="row" role="search" @submit=${search}><label class="unseen" for="q">${t('files.search')}</label><input id="q" name="q" class="grow" maxlength="500" placeholder=${t('files.searchHint')} .value=${this.route.query.q ?? ''} autocomplete="off" /><button type="submit">${icon('search')}${t('files.seek')}</button></form>
        <div class="found stack loose"></div></section>`;
  }
}

const firstMarked = ({ excerpt, marks: [first] }) => (first ? [...excerpt].slice(first.start, first.end).join('') : '');

function marked({ excerpt, marks }) {
  const letters = [...excerpt];
  const parts = [];
  let at = 0;
  for (const { start, end } of marks) {
    parts.push(letters.slice(at, start).join(''), html`<mark>${letters.slice(start, end).join('')}</mark>`);
    at = end;
  }
  return [...parts, letters.slice(at).join('')];
}
