// What one can do to a life: add an event, revise one, or take one back.

import { askFirst, date, field, hint, html, path, post, row, state, t, tell, word } from '../lib/page.js';

const TYPES = ['normal', 'pride', 'shame', 'repressed', 'exaggerated'];

export async function addEntry(persona, entries, changed) {
  const latest = entries.map(({ eventAt }) => eventAt).sort().at(-1);
  const given = await askFirst({
    title: 'timeline.add', confirm: 'timeline.append', body: [hint('timeline.addHint', 'small', { name: persona.displayName }), ...fields({}), typeField()],
    act: (data) => append(persona, { ...read(data), memoryType: data.get('memoryType') }, latest),
  });
  if (given) done(t('timeline.added'), changed);
}

export async function reviseEntry(persona, entry, changed) {
  const given = await askFirst({
    title: 'timeline.revise',
    confirm: 'timeline.reviseIt',
    body: html`${hint('timeline.reviseHint', 'small')}${fields(entry)}${reason()}`,
    act: (data) => append(persona, { ...read(data), ...(entry.metadata ? { metadata: entry.metadata } : {}), memoryType: 'revised', revisesTimelineId: entry.id, revisionReason: data.get('reason').trim() }),
  });
  if (given) done(t('timeline.revisedNow'), changed);
}

export async function supersedeEntry(persona, entry, changed) {
  const given = await askFirst({
    title: 'timeline.supersedeTitle', named: { label: entry.eventLabel },
    confirm: 'timeline.supersede',
    danger: true,
    about: 'timeline.supersedeHint', body: reason(),
    act: (data) => post(path`/personas/${persona.id}/timeline/${entry.id}/supersede`, { tenantId: state.me.tenant, reason: data.get('reason').trim() }),
  });
  if (given) done(t('timeline.superseded'), changed);
}

/** An event before the latest one fills in the past. */
async function append(persona, entry, latest) {
  const send = (more) => post(path`/personas/${persona.id}/timeline`, { tenantId: state.me.tenant, ...entry, ...more });
  try {
    return await send({});
  } catch (refused) {
    if (refused.code !== 'event_out_of_order') throw refused;
    return send({ allowOutOfOrder: true }).catch(() => {
      throw latest && !entry.revisesTimelineId ? new Error(t('timeline.tooEarly', { day: date(latest) })) : refused;
    });
  }
}

function done(told, changed) {
  tell(told);
  changed();
}

const reason = () => field('reason', t('timeline.reason'), { required: true, maxLength: 5000 });

function fields(entry) {
  const area = (name, rows) => field(name, t(`timeline.${name}`), { rows, required: true, maxLength: 5000, className: 'said', value: entry[name] ?? '' });
  return [
    html`<p class="quiet small marks">${t('timeline.required')}</p>`,
    row(field('eventLabel', t('timeline.eventLabel'), { required: true, maxLength: 200, value: entry.eventLabel ?? '', more: 'grow' }), field('eventAt', t('timeline.eventAt'), { type: 'date', required: true, value: (entry.eventAt ?? new Date().toISOString()).slice(0, 10) })),
    area('facts', 3), area('feelings', 2), area('interpretation', 2),
    html`${row(field('emotionTags', t('timeline.emotionTags'), { value: entry.emotionTags?.join(', ') ?? '', more: 'grow' }), field('memoryStrength', t('timeline.memoryStrength'), { type: 'number', min: 0, max: 100, required: true, value: entry.memoryStrength ?? 60 }))}
      <input type="hidden" name="exact" .value=${entry.eventAt ?? ''} />`,
  ];
}

const typeField = () => field('memoryType', t('timeline.memoryType'), { options: TYPES.map((type) => [type, word('type', type)]) });

/** The day as chosen, and the very moment if the day was left as it was. */
function read(given) {
  const text = (name) => given.get(name).trim();
  const exact = given.get('exact');
  const eventAt = exact.slice(0, 10) === text('eventAt') ? exact : `${text('eventAt')}T12:00:00.000Z`;
  return { eventAt, eventLabel: text('eventLabel'), facts: text('facts'), feelings: text('feelings'), interpretation: text('interpretation'), emotionTags: text('emotionTags').split(',').map((tag) => tag.trim()).filter(Boolean), memoryStrength: Number(text('memoryStrength')) };
}
