// Talk: the events of `/chat`, and the reply they add up to.

import { SelfhoodError, UnreachableError, errorClass } from "./errors.js";
import type { NotKept, RememberedMemory } from "./schema.js";

/** How something is said to a persona. */
export interface Said {
  /** Who says it; with a key that forwards identities. */
  subject?: string;
  /** The conversation it continues. */
  session_id?: string;
  /** How much of the persona's files is loaded, 1 to 4. */
  tier?: number;
  /** The role of `selfhood.toml` that answers. */
  role?: string;
  /** Leave nothing anywhere. */
  off_record?: boolean;
  include_short?: boolean;
  include_mid?: boolean;
  include_long?: boolean;
}

/** A whole answer. */
export interface Reply {
  text: string;
  /** Send it back to continue the conversation. */
  sessionId: string;
  /** Leads to `showExchange`; null off the record. */
  exchangeId: string | null;
  /** Leads to `explainRecall`; null off the record. */
  recallId: string | null;
  /** The memories formed from what was said. */
  remembered: RememberedMemory[];
  /** What was not kept, and why. */
  notKept: NotKept[];
  /** `none`, `pending` (a model is still at it) or `done`. */
  formation: string;
  /** The phrase after which a person should take over, if it was said. */
  escalation: string | null;
}

interface Done {
  response: string;
  session_id: string;
  exchange_id?: string;
  recall_id?: string;
  remembered?: RememberedMemory[];
  notKept?: NotKept[];
  formation?: string;
  escalation?: string;
}

interface Failure {
  error: string;
  code: string;
  status?: number;
}

/** An answer as it is spoken: iterate over its words, then read `reply`. Leaving the loop stops the model. */
export class ReplyStream implements AsyncIterable<string> {
  readonly #body: ReadableStream<Uint8Array>;
  #reply: Reply | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#body = body;
  }

  /** The whole answer; there is one once the stream has ended. */
  get reply(): Reply {
    if (this.#reply === undefined) {
      throw new SelfhoodError("the answer has not ended yet; read the stream to its end", { code: "not_finished" });
    }
    return this.#reply;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const [name, data] of events(this.#body)) {
      if (name === "token") yield (data as { text: string }).text;
      else if (name === "done") this.#reply = replyFrom(data as Done);
      else if (name === "error") throw failure(data as Failure);
    }
    if (this.#reply === undefined) throw new UnreachableError("the answer broke off before its end");
  }
}

function replyFrom(done: Done): Reply {
  return {
    text: done.response,
    sessionId: done.session_id,
    exchangeId: done.exchange_id ?? null,
    recallId: done.recall_id ?? null,
    remembered: done.remembered ?? [],
    notKept: done.notKept ?? [],
    formation: done.formation ?? "none",
    escalation: done.escalation ?? null,
  };
}

function failure({ error, code, status = 500 }: Failure): SelfhoodError {
  return new (errorClass(status))(error, { code, status });
}

/** The server-sent events of a body, each with its name and its data. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<[string, unknown], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new UnreachableError(`the answer broke off: ${String(cause)}`);
      });
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parse(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): [string, unknown] | undefined {
  const lines = block.split("\n");
  const name = lines.find((line) => line.startsWith("event:"))?.slice(6).trim() ?? "message";
  const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
  return data.length === 0 ? undefined : [name, JSON.parse(data.join("\n"))];
}
