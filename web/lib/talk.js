// One conversation. Off-the-record turns exist only here, as long as the screen is open.

import { get, path, sentence } from './api.js';
import { listenTo } from './stream.js';

export class Talk {
  turns = [];
  session = undefined;
  /** Set while an answer comes; aborting it stops the answer. */
  speaking = null;

  /** `on`: { began(mine, reply), words(reply), ended(mine, reply), opened(session), noticed(notices), leftOut(files, turns) }. */
  constructor(persona, on) {
    Object.assign(this, { persona, on });
  }

  record(session = this.session) {
    return path`/v1/personas/${this.persona}/sessions/${session}`;
  }

  fetch(session, subject) {
    return get(this.record(session), { subject, includeFormation: true });
  }

  fill({ turns, session: view }) {
    this.view = view;
    this.turns = turns.map(({ state: standing, ...said }) => ({ ...said, standing }));
    this.turns.forEach((turn, n) => turn.speaker === 'persona' && (turn.formed = this.turns[n - 1]?.formed));
    const last = this.turns.at(-1);
    if (last?.speaker === 'subject') this.turns.push({ ...last, speaker: 'persona', text: '', formed: null, isMissing: true });
  }

  start(session) {
    this.stop();
    this.speaking = null;
    Object.assign(this, { session, privateSession: undefined, view: undefined, turns: [] });
  }

  stop() {
    this.speaking?.abort();
  }

  /**
   * Sends a message. `instead` is an own turn: edited, or answered again if the words are the same. If that is refused,
   * the turns on record come back, and `replaces` says what the next try is in place of.
   */
  async say(message, { subject, tier, isPrivate, instead }) {
    const replaces = instead?.exchangeId ? instead : (instead?.replaces ?? instead);
    const exchangeId = isPrivate ? undefined : replaces?.exchangeId;
    // What never came on record leaves what was said since where it is.
    const cut = replaces ? this.turns.splice(this.turns.indexOf(replaces), exchangeId ? Infinity : 2) : [];
    const at = new Date().toISOString();
    const mine = { speaker: 'subject', text: message, at, isPrivate, replaces };
    const reply = { speaker: 'persona', text: '', at, isPrivate, speaking: true };
    this.turns.push(mine, reply);
    const speaking = (this.speaking = new AbortController());
    this.on.began(mine, reply);
    const body = { message, persona: this.persona, subject, tier, off_record: isPrivate, session_id: isPrivate ? (this.privateSession ?? this.session) : this.session, instead_of: exchangeId };
    try {
      await this.#listen(body, (name, data) => this.#heard(name, data, mine, reply), speaking.signal);
      // A stream that just ends was cut off on its way.
      if (reply.speaking === true && !reply.isWhole && !reply.failed) reply.standing = 'interrupted';
    } catch (refused) {
      if (refused.name === 'AbortError') reply.standing = 'interrupted';
      else reply.failed = refused.code ? refused.message : sentence(0, { code: 'unreachable' });
      if (reply.failed && !reply.exchangeId) this.turns.splice(this.turns.indexOf(mine), 0, ...cut.filter(({ exchangeId }) => exchangeId));
    }
    reply.speaking = false;
    if (this.speaking === speaking) this.speaking = null;
    if (this.turns.includes(reply)) this.on.ended(mine, reply);
  }

  /** A server that does not hold the talk off the record begins one beside it. */
  async #listen(body, heard, signal) {
    try {
      await listenTo('/chat', body, heard, signal);
    } catch (refused) {
      if (!body.off_record || !body.session_id || refused.code !== 'session_elsewhere') throw refused;
      await listenTo('/chat', { ...body, session_id: undefined }, heard, signal);
    }
  }

  #heard(name, data, mine, reply) {
    if (name === 'headers') mine.exchangeId = reply.exchangeId = data.get('x-exchange-id') ?? undefined;
    if (name === 'start') {
      this.on.noticed(data.notices);
      if (data.left_out) this.on.leftOut(data.left_out_files, data.left_out_turns);
      if (reply.isPrivate) this.privateSession = data.session_id;
      else if (this.session !== data.session_id) this.on.opened((this.session = data.session_id));
    }
    if (name === 'token') {
      reply.text += data.text;
      this.on.words(reply, data.text);
    }
    if (name === 'done') {
      const { response: text, recall_id: recallId, escalation, model, formation, remembered, notKept } = data;
      Object.assign(reply, { text, recallId, escalation, model, isWhole: true });
      if (formation) mine.formed = reply.formed = { formation, remembered, notKept };
    }
    if (name === 'error') reply.failed = sentence(data.status, data);
  }
}
