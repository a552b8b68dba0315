// The public HTTP API and nothing else. A refusal is thrown with the sentence our language file has for its code: the
// server's own words are written for programs and logs.

import { hex } from '../proof/merkle.js';
import { hasWord, t, word } from './text.js';

export class Refused extends Error {
  constructor(status, problem) {
    super(sentence(status, problem));
    Object.assign(this, { status, code: problem.code, pointers: problem.errors ?? [] });
  }
}

/** What happened and the way out, in the reader's language. */
export function sentence(status, { code, errors }) {
  const said = hasWord('error', code) ? word('error', code) : t('error.other', { status });
  const fields = [...new Set((errors ?? []).map(({ pointer }) => pointer?.split('/').find((part) => hasWord('field', part))).filter(Boolean))];
  return fields.length ? `${said} ${t('error.fields', { fields: fields.map((name) => word('field', name)).join(', ') })}` : said;
}

export const events = new EventTarget();

export async function ask(method, path, { query, body, headers = {}, signal } = {}) {
  const answer = await fetch(address(path, query), {
    method,
    signal,
    credentials: 'same-origin',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((reason) => {
    throw reason.name === 'AbortError' ? reason : new Refused(0, { code: 'unreachable' });
  });
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

export const get = async (path, query) => (await ask('GET', path, { query })).json();

/** The whole timeline, page by page. */
export async function entriesOf(persona, query, offset = 0) {
  const { timeline, total } = await get(path`/personas/${persona}/timeline`, { limit: 100, offset, ...query });
  const next = offset + timeline.length;
  return timeline.length && next < total ? [...timeline, ...(await entriesOf(persona, query, next))] : timeline;
}

export const post = async (path, body, headers) => read(await ask('POST', path, { body, headers }));
export const patch = async (path, body) => (await ask('PATCH', path, { body })).json();
export const put = async (path, body) => (await ask('PUT', path, { body })).json();
export const remove = async (path, query) => read(await ask('DELETE', path, { query }));

/** A POST that takes something away needs a name of its own, so that a repeated click does it once. */
export const postOnce = (path, body) => post(path, body, { 'idempotency-key': random() });

/** 32 digits; unlike crypto.randomUUID, also on a page that came over the network in clear. */
const random = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/** A path whose holes are encoded: path`/v1/personas/${p}/memories`. */
export function path(strings, ...names) {
  return strings.reduce((all, part, n) => all + encodeURIComponent(names[n - 1]) + part);
}

function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

async function refusal(answer) {
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 401) events.dispatchEvent(new Event('signed-out'));
  return new Refused(answer.status, problem);
}

const read = async (answer) => (answer.status === 204 ? null : answer.json());
