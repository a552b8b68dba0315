// What one can do to a memory.

import { askFirst, field, get, hint, html, linesOf, patch, path, post, postOnce, remove, t, tell, trying } from '../lib/page.js';
import { notes } from './notes.js';

const own = (persona, id) => path`/v1/personas/${persona}/memories/${id}`;
const redact = (persona, { id }, mode, dryRun) => postOnce(`${own(persona, id)}/redact`, { mode, reason: 'request', dryRun });

/** `undone(memory)` is called with the version that says again what it said before. */
export async function correct(persona, memory, undone) {
  const brightness = new Map(memory.details.map((detail) => [detail.content, detail.brightness]));
  const details = (text) => linesOf(text).map((content) => ({ content, brightness: brightness.get(content) ?? 0.8 }));
  const given = await askFirst({
    title: 'acts.correct',
    confirm: 'acts.correctIt',
    body: html`
      ${hint('acts.correctHint')}
      ${field('gist', t('memory.gist'), { rows: 3, maxLength: 280, required: true, className: 'said', value: memory.gist })}
      ${field('details', t('memory.details'), { rows: 4, value: memory.details.map((detail) => detail.content).join('\n'), hint: t('acts.detailsHint') })}`,
    act: (data) => patch(own(persona, memory.id), { gist: data.get('gist').trim(), details: details(data.get('details')) }),
  });
  if (!given) return null;
  const made = given.answer.memory;
  tell(t('acts.corrected'), () => trying(async () => {
    const { memory: again } = await patch(own(persona, made.id), { gist: memory.gist, details: memory.details.map(({ content, brightness: bright }) => ({ content, brightness: bright })) });
    undone(again);
  }));
  return made;
}

export function lighten(persona, memory, changed) {
  return trying(async () => {
    const { memory: lighter } = await patch(own(persona, memory.id), { salience: memory.salience / 2 });
    tell(t('acts.lightened'), () => trying(async () => {
      await patch(own(persona, lighter.id), { salience: memory.salience });
      changed(null);
    }));
    changed(lighter);
    return lighter;
  });
}

export const pin = (persona, memory, changed) => act(() => post(`${own(persona, memory.id)}/pin`), changed, 'acts.pinned', () => unpin(persona, memory, changed));

export const unpin = (persona, memory, changed) => act(() => remove(`${own(persona, memory.id)}/pin`), changed, 'acts.unpinned');

export const setAside = (persona, memory, changed) => act(() => redact(persona, memory, 'soft'), changed, 'acts.aside', () => restore(persona, memory, changed));

export const restore = (persona, memory, changed) => act(() => post(`${own(persona, memory.id)}/restore`), changed, 'acts.restored');

/** Does it, says so with the way back, and lets the screen know. */
const act = (request, changed, told, undo) => trying(async () => {
  await request();
  tell(t(told), undo);
  changed();
});

export function destroy(persona, memory) {
  // Six letters of its id: enough to stop and think, few enough to type.
  const code = memory.id.slice(-6);
  return trying(async () => {
    const { redaction } = await redact(persona, memory, 'hard', true);
    const given = await askFirst({
      title: 'acts.destroyTitle',
      confirm: 'acts.destroyIt',
      danger: true,
      body: html`
        <p>${t('acts.destroyHint')}</p>
        <blockquote class="said note">${memory.gist}</blockquote>
        <ul class="small">
          ${['versions', 'derived'].filter((what) => redaction[what].length).map((what) => html`<li>${t(`acts.${what}`, { n: redaction[what].length })}</li>`)}
        </ul>
        ${redaction.notes && html`<div class="note warn">${notes(redaction.notes)}</div>`}
        ${field('typed', t('acts.type', { id: code }), { className: 'short-field', autocapitalize: 'off', spellcheck: false, required: true, pattern: code })}`,
    });
    if (!given) return null;
    const answer = await redact(persona, memory, 'hard');
    tell(t('acts.destroyed'));
    return answer.tombstone;
  });
}

export const fetchMemory = (persona, id) => get(own(persona, id));
