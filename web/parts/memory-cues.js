// The cues that bring a memory to mind; they are matched, and not shown in talk.

import { askFirst, button, field, hint, html, patch, path, signButton, t, tell, trying } from '../lib/page.js';

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
${signButton('edit', t('cues.editOne', { cue }), () => ask('cues.edit', cue, (typed) => save(known.with(n, typed))), 'small')}${signButton('close', t('cues.removeOne', { cue }), () => save(known.filter((_, other) => other !== n)), 'small')}`}</li>`;
  return html`<section class="stack cues" aria-labelledby="cues-title"><h2 id="cues-title">${t('cues.title')}</h2>
    ${known.length ? html`<ul class="cue-list">${known.map(row)}</ul>` : hint('cues.none')}
    ${hint('cues.about', 'small')}
    ${editable && known.length < MOST && html`<div class="row">${button('cues.add', () => ask('cues.add', '', (typed) => save([...known, typed])), 'small', 'plus')}</div>`}</section>`;
}

async function ask(title, cue, save) {
  const given = await askFirst({
    title,
    confirm: 'cues.save',
    body: field('cue', t('cues.label'), { required: true, maxLength: LONGEST, value: cue, hint: t('cues.hint') }),
  });
  const typed = given?.get('cue').trim();
  if (typed) await save(typed);
}
