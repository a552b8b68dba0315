// The client, and the handle of one persona.

import { UnreachableError, errorFrom } from "./errors.js";
import { Operations } from "./operations.js";
import { type CallOptions, RETRIES, type Request, pause, target } from "./request.js";
import type * as schema from "./schema.js";
import { type Reply, ReplyStream, type Said } from "./talk.js";

/** Where the server is, and how to come in. */
export interface ClientOptions {
  /** `http://127.0.0.1:7337` when absent. */
  url?: string;
  /** A key made by `selfhood key new`. */
  apiKey?: string;
  /** Who is speaking on every request; keys that forward identities need it. */
  subject?: string;
  /** How many milliseconds an answer may take; talk may take as long as its model. */
  timeout?: number;
  /** Another `fetch`. */
  fetch?: typeof fetch;
}

const DEFAULT_URL = "http://127.0.0.1:7337";
const DEFAULT_TIMEOUT = 30_000;
const PASSING = [429, 503];

/** A client. Bodies and answers have the names that JSON has; every verb of the API is a method. */
export class Selfhood extends Operations {
  readonly url: string;
  readonly #options: ClientOptions;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions = {}) {
    super();
    this.#options = options;
    this.url = (options.url ?? DEFAULT_URL).replace(/\/+$/, "");
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** The same client on behalf of `subject`. */
  speakingFor(subject: string): Selfhood {
    return new Selfhood({ ...this.#options, subject });
  }

  /** A handle of one persona, by name or id. */
  persona(name: string): Persona {
    return new Persona(this, name);
  }

  /** Says something; the answer is iterated over as it is spoken. */
  async stream(persona: string, message: string, how: Said = {}, options: CallOptions = {}): Promise<ReplyStream> {
    const request: Request = { method: "POST", path: "/chat", body: { persona, message, ...how } };
    const response = await this.#ask(request, options, options.signal ?? null);
    if (!response.ok) throw await errorFrom(response);
    if (response.body === null) throw new UnreachableError("the answer has no body");
    return new ReplyStream(response.body);
  }

  /** Says something and waits for the whole answer. */
  async say(persona: string, message: string, how: Said = {}, options: CallOptions = {}): Promise<Reply> {
    const stream = await this.stream(persona, message, how, options);
    for await (const _ of stream);
    return stream.reply;
  }

  protected async send<T>(request: Request, options: CallOptions = {}): Promise<T> {
    const key = options.idempotencyKey ?? (request.isKeyed === true ? crypto.randomUUID() : undefined);
    const keyed: CallOptions = key === undefined ? options : { ...options, idempotencyKey: key };
    const mayBeRepeated = request.isRead === true || key !== undefined || ["GET", "PUT", "DELETE"].includes(request.method);
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#tried(request, keyed, mayBeRepeated && attempt < RETRIES);
      const wait = pause(attempt, response?.headers.get("retry-after") ?? null);
      const isPassing = response === undefined || PASSING.includes(response.status);
      if (response !== undefined && !(isPassing && mayBeRepeated && attempt < RETRIES && wait !== undefined)) {
        return await read<T>(response);
      }
      await new Promise((resume) => setTimeout(resume, wait ?? 0));
    }
  }

  /** One attempt; nothing if there was no answer and it is worth another one. */
  async #tried(request: Request, options: CallOptions, hasMore: boolean): Promise<Response | undefined> {
    const timeout = AbortSignal.timeout(this.#options.timeout ?? DEFAULT_TIMEOUT);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    try {
      return await this.#ask(request, options, signal);
    } catch (error) {
      if (hasMore && error instanceof UnreachableError && options.signal?.aborted !== true) return undefined;
      throw error;
    }
  }

  async #ask(request: Request, options: CallOptions, signal: AbortSignal | null): Promise<Response> {
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const init: RequestInit = { method: request.method, headers: this.#headers(options, body !== null), body, signal };
    try {
      return await this.#fetch(this.url + target(request), init);
    } catch (cause) {
      if (options.signal?.aborted === true) throw cause;
      const why = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : "";
      throw new UnreachableError(`no answer from ${this.url}: ${why}; is \`selfhood serve\` running?`);
    }
  }

  #headers(options: CallOptions, hasBody: boolean): Record<string, string> {
    const { apiKey, subject } = this.#options;
    return {
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      ...(subject === undefined ? {} : { "x-user-id": subject }),
      ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
      ...options.headers,
    };
  }
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) throw await errorFrom(response);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** One persona, for programs that deal with only one. */
export class Persona {
  constructor(
    readonly client: Selfhood,
    readonly name: string,
  ) {}

  /** Says something and waits for the whole answer. */
  say(message: string, how?: Said, options?: CallOptions): Promise<Reply> {
    return this.client.say(this.name, message, how, options);
  }

  /** Says something; the answer is iterated over as it is spoken. */
  stream(message: string, how?: Said, options?: CallOptions): Promise<ReplyStream> {
    return this.client.stream(this.name, message, how, options);
  }

  /** What the persona remembers for these words, as a list and as text for a prompt. */
  recall(cue: string, more: Omit<schema.Recall, "cue"> = {}): Promise<schema.RecallAnswer> {
    return this.client.recall(this.name, { cue, ...more });
  }

  /** Creates a memory. */
  async remember(memory: schema.Remember): Promise<schema.MemoryView> {
    return (await this.client.remember(this.name, memory)).memory;
  }

  /** All memories that fit, page by page. */
  async *memories(query: schema.ListMemoriesQuery = {}): AsyncGenerator<schema.MemoryView, void, undefined> {
    let page = await this.client.listMemories(this.name, query);
    yield* page.data;
    while (page.nextCursor !== null && page.nextCursor !== undefined) {
      page = await this.client.listMemories(this.name, { ...query, cursor: page.nextCursor });
      yield* page.data;
    }
  }

  /** Sets a memory aside; `mode: "hard"` destroys it for good and needs a key with `erase`. */
  forget(id: string, how: schema.Redact = {}): Promise<schema.RedactAnswer> {
    return this.client.redactMemory(this.name, id, how);
  }
}
