// What another program knew: its file is previewed, chosen from, imported, and undone as one.

import { askFirst, button, check, failed, get, go, group, head, hint, html, linkTo, may, moment, muted, nameOf, note, path, post, remove, section, state, t, tell, tellIn, tellRefusal, to, told, View, word } from '../lib/page.js';
import { base64, dropZone } from '../parts/drop-zone.js';

// What one request may carry in base64.
const LARGEST = 47e6;
// How much is sent at once: enough to be quick, little enough to see it move.
const LINES = 200;
const LETTERS = 1e6;
const SHOWN = 300;

export class Screen extends View {
  begin() {
    this.at = path`/v1/personas/${this.persona}/import`;
    this.start();
  }

  async start(before) {
    const { imports, refused } = may('admin') ? await get(`${this.at}s`).catch((refused) => ({ refused })) : {};
    if (refused) return this.show(failed('import', refused, () => this.start(before)));
    const zone = html`<section class="card stack">${told()}${dropZone({ id: 'import-file', label: t('import.choose'), hint: t('import.hint'), take: (file) => this.take(file) })}<p class="small quiet">${t('import.card')} <a href="/ui/welcome">${t('personas.new')}</a></p></section>`;
    this.show(before, imports ? zone : note(t('import.closed')), imports?.length ? this.earlier(imports) : null);
    const dropped = state.dropped;
    state.dropped = null;
    if (dropped && imports) this.take(dropped);
  }

  show(...content) {
    this.draw(html`${head(t('import.title', { name: nameOf(this.persona) }), t('import.about'))}<div class="stack loose">${content}</div>`);
  }

  async take(file) {
    const tellHere = (text) => tellIn(this.find('.told'), text);
    if (file.size > LARGEST) return tellHere(t('import.large', { size: LARGEST / 1e6 }));
    this.find('.drop span').textContent = t('import.reading', { name: file.name });
    try {
      const read = await post(`${this.at}/read`, { name: file.name, file: await base64(file) });
      if (read.lines.length) this.preview(read, await this.send(read.lines, { dryRun: true }));
      else tellHere([t('import.nothing'), ...read.unreadParts.map(({ place }) => place)].join(' '));
    } catch (refused) {
      // A character card is a persona of its own.
      if (refused.code === 'validation_failed' && (await isCard(file))) return (state.dropped = file), go('/ui/welcome');
      tellHere(refused.code && refused.code !== 'validation_failed' ? refused.message : t('import.unknown'));
    }
  }

  preview(read, answer) {
    const talks = read.lines.filter(({ turns }) => turns);
    const notes = read.lines.filter(({ turns }) => !turns);
    this.show(html`<form class="card stack loose" @submit=${({ target }) => this.import(target, read.lines)}>
      <h2 tabindex="-1">${t('import.found', { what: [...new Set(read.formats.map((one) => word('importFormat', one)))].join(', ') })}</h2>${counts(answer, read)}
      ${picks('talks', talks, ({ title, turns }) => `${title || t('chat.untitled')} (${t('import.turns', { n: turns.length })})`)}${picks('notes', notes, ({ text, gist, eventLabel }) => text ?? gist ?? eventLabel)}
      ${hint('import.whose', 'small')}
      <div class="row end">${button('common.cancel', () => this.start(), 'bare')}<button type="submit" class="main" ?disabled=${!sizes(answer)}>${t('import.go')}</button></div></form>`);
    this.find('h2').focus();
  }

  async import(form, all) {
    const shown = new Map([...form.querySelectorAll('li input')].map((box) => [box.line, box.checked]));
    const lines = all.filter((line) => shown.get(line) ?? form.elements[line.turns ? 'talks' : 'notes'].checked);
    if (!lines.length) return tell(t('import.noneChosen'));
    const bar = html`<progress max=${lines.length} value="0" aria-label=${t('import.going')}></progress>`;
    this.show(html`<section class="card stack"><p role="status">${t('import.going')}</p>${bar}</section>`);
    try {
      const answer = await this.send(lines, { moved: (done) => (bar.value = done) });
      this.start(html`<section class="card stack"><h2>${t(sizes(answer) ? 'import.done' : 'import.doneNothing')}</h2>${counts(answer, {})}${answer.turns ? html`<p>${t('import.recorded')}</p>` : null}<div class="row">${answer.turns ? linkTo('files.search', to(this.persona, 'files')) : null}${linkTo('nav.memories', to(this.persona, 'memories'))}${answer.importId && this.undoing(answer.importId)}</div></section>`);
    } catch (refused) {
      tellRefusal(refused);
      this.start();
    }
  }

  /** Sends lines some at a time, all of them as the import that the first of them began, and adds up what became of them. */
  async send(lines, { dryRun = false, moved }) {
    const total = { reasons: {}, classes: {} };
    const add = (to, numbers) => Object.entries(numbers).forEach(([name, n]) => (to[name] = (to[name] ?? 0) + n));
    for (let from = 0, till = 0; from < lines.length; from = till) {
      for (let letters = 0; till < lines.length && till - from < LINES && letters < LETTERS; till++) letters += JSON.stringify(lines[till]).length;
      const { classes, refused, importId, ...numbers } = await post(this.at, { lines: lines.slice(from, till), dryRun, importId: total.importId });
      add(total, numbers);
      for (const { code } of refused) add(total.reasons, { [code]: 1 });
      add(total.classes, classes);
      total.importId ??= importId;
      moved?.(till);
    }
    return total;
  }

  earlier(imports) {
    return section(t('import.earlier'), html`<ul class="plain stack">${imports.map((one) => html`<li class="spread"><span>${moment(one.at)}<br />${muted(sizes(one))}</span>${this.undoing(one.importId)}</li>`)}</ul>`, 'card stack');
  }

  undoing(id) {
    const undo = async () => {
      if (!(await askFirst({ title: 'import.undoTitle', confirm: 'import.undo', danger: true, about: 'import.undoHint' }))) return;
      await remove(`${this.at}s/${id}`).then(() => tell(t('import.undone')), tellRefusal);
      this.start();
    };
    return button('import.undo', undo, 'small', 'undo');
  }
}

function picks(name, lines, label) {
  if (!lines.length) return null;
  const all = ({ target }) => target.closest('fieldset').querySelectorAll('li input').forEach((box) => (box.checked = target.checked));
  const title = t(`import.${name}`);
  return group(title, html`${check(t('import.all'), { name, checked: true, onchange: all })}
    <ul class="picks" tabindex="0" aria-label=${title}>${lines.slice(0, SHOWN).map((line) => html`<li class="small">${check(String(label(line)).slice(0, 160), { checked: true, line })}</li>`)}</ul>${lines.length > SHOWN && hint('import.rest', 'small', { n: lines.length - SHOWN })}`);
}

const sizes = (counted) => ['conversations', 'turns', 'memories', 'events'].filter((name) => counted[name]).map((name) => t(`import.${name}`, { n: counted[name] })).join(', ');

const isCard = async (file) => post('/v1/cards', { file: await base64(file), dryRun: true }).then(() => true, () => false);

function counts({ classes, reasons, ...answer }, { skipped = {}, unread, unreadParts = [], unknownFiles }) {
  const kinds = Object.entries(classes).map(([name, n]) => `${n} ${word('class', name)}`).join(', ');
  const left = { ...answer, skipped: Object.values(skipped).reduce((all, n) => all + n, 0), unread, unknownFiles: unknownFiles?.length };
  return html`<p><b>${sizes(answer) || t('import.nothingNew')}</b>${kinds ? ` (${kinds})` : ''}</p><ul class="small quiet plain">${['duplicates', 'undated', 'pastRetention', 'skipped', 'unread', 'unknownFiles'].filter((name) => left[name]).map((name) => html`<li>${t(`import.${name}`, { n: left[name] })}</li>`)}${Object.entries(reasons).map(([code, n]) => html`<li>${t('import.refused', { n, why: word('error', code) })}</li>`)}${unreadParts.slice(0, 9).map(({ place }) => html`<li>${place}</li>`)}</ul>`;
}
