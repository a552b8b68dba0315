// The cues that bring a memory to mind; they are matched, and not shown in talk.

import { askFirst, button, field, hint, html, icon, patch, path, t, tell, trying } from '../lib/page.js';

const MOST = 8;
const LONGEST = 80;

export function cues(persona, memory, { editable, changed }) {
  const known = memory.cues ?? [];
  if (!known.length && !editable) return null;
  const save = (next) => trying(async () => {
    await patch(path`/v1/personas/${persona}/memories/${memory.id}`, { cues: next });
    tell(t('cues.saved'));
    changed();
  });
  const row = (cue, n) => html`<li><span class="said grow">${cue}</span>${editable && html`
    <button class="small bare" aria-label=${t('cues.editOne', { cue })} @click=${() => ask(t('cues.edit'), cue, (typed) => save(known.with(n, typed)))}>${icon('edit')}</button>
    <button class="small bare" aria-label=${t('cues.removeOne', { cue })} @click=${() => save(known.filter((_, other) => other !== n))}>${icon('close')}</button>`}</li>`;
  return html`<section class="stack cues" aria-labelledby="cues-title"><h2 id="cues-title">${t('cues.title')}</h2>
    ${known.length ? html`<ul class="cue-list">${known.map(row)}</ul>` : hint('cues.none')}
    ${hint('cues.about', 'small')}
    ${editable && known.length < MOST && html`<div class="row">${button('cues.add', () => ask(t('cues.add'), '', (typed) => save([...known, typed])), 'small', 'plus')}</div>`}</section>`;
}

async function ask(title, cue, save) {
  const given = await askFirst({
    title,
    confirm: t('cues.save'),
    body: field('cue', t('cues.label'), { required: true, maxLength: LONGEST, value: cue, hint: t('cues.hint') }),
  });
  const typed = given?.get('cue').trim();
  if (typed) await save(typed);
}
