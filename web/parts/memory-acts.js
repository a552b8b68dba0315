// What one can do to a memory: correct it, pin it, weigh it less, set it aside with a way back, or destroy it.

import { get, html, patch, path, post, postOnce, remove, t } from '../lib/page.js';
import { askFirst } from './dialog.js';
import { tell, trying } from './toasts.js';

const own = (persona, id) => path`/v1/personas/${persona}/memories/${id}`;

export async function correct(persona, memory) {
  const brightness = new Map(memory.details.map((detail) => [detail.content, detail.brightness]));
  const details = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean).map((content) => ({ content, brightness: brightness.get(content) ?? 0.8 }));
  const given = await askFirst({
    title: t('acts.correct'),
    confirm: t('acts.correctIt'),
    body: html`
      <p class="quiet">${t('acts.correctHint')}</p>
      <div class="field"><label for="gist">${t('memory.gist')}</label><textarea id="gist" name="gist" rows="3" maxlength="280" required class="said" .value=${memory.gist}></textarea></div>
      <div class="field"><label for="details">${t('memory.details')}</label><textarea id="details" name="details" rows="4" .value=${memory.details.map((detail) => detail.content).join('\n')}></textarea><p class="hint">${t('acts.detailsHint')}</p></div>`,
    act: (data) => patch(own(persona, memory.id), { gist: data.get('gist').trim(), details: details(data.get('details')) }),
  });
  if (!given) return null;
  tell(t('acts.corrected'));
  return given.answer.memory;
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

export function pin(persona, memory, changed) {
  return trying(async () => {
    await post(`${own(persona, memory.id)}/pin`);
    tell(t('acts.pinned'), () => unpin(persona, memory, changed));
    changed();
  });
}

export function unpin(persona, memory, changed) {
  return trying(async () => {
    await remove(`${own(persona, memory.id)}/pin`);
    tell(t('acts.unpinned'));
    changed();
  });
}

export function setAside(persona, memory, changed) {
  return trying(async () => {
    await postOnce(`${own(persona, memory.id)}/redact`, { mode: 'soft', reason: 'request' });
    tell(t('acts.aside'), () => restore(persona, memory, changed));
    changed();
  });
}

export function restore(persona, memory, changed) {
  return trying(async () => {
    await post(`${own(persona, memory.id)}/restore`);
    tell(t('acts.restored'));
    changed();
  });
}

export function destroy(persona, memory) {
  // Six letters of its id: enough to stop and think, few enough to type.
  const code = memory.id.slice(-6);
  return trying(async () => {
    const { redaction } = await postOnce(`${own(persona, memory.id)}/redact`, { mode: 'hard', reason: 'request', dryRun: true });
    const given = await askFirst({
      title: t('acts.destroyTitle'),
      confirm: t('acts.destroyIt'),
      danger: true,
      body: html`
        <p>${t('acts.destroyHint')}</p>
        <blockquote class="said note">${memory.gist}</blockquote>
        <ul class="small">
          ${['versions', 'derived'].filter((what) => redaction[what].length).map((what) => html`<li>${t(`acts.${what}`, { n: redaction[what].length })}</li>`)}
          ${redaction.warnings.map((warning) => html`<li>${warning}</li>`)}
        </ul>
        <div class="field"><label for="typed">${t('acts.type', { id: code })}</label><input id="typed" name="typed" class="short-field" autocomplete="off" autocapitalize="off" spellcheck="false" required pattern=${code} /></div>`,
    });
    if (!given) return null;
    const answer = await postOnce(`${own(persona, memory.id)}/redact`, { mode: 'hard', reason: 'request' });
    tell(t('acts.destroyed'));
    return answer.tombstone;
  });
}

export const fetchMemory = (persona, id) => get(own(persona, id));
