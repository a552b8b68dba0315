// The client against the server that `cargo xtask clients` has started.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

const { SELFHOOD_TEST_URL: url, SELFHOOD_TEST_OWNER_KEY: ownerKey, SELFHOOD_TEST_FORWARDED_KEY: forwardedKey, SELFHOOD_TEST_DIST: dist } = process.env;
const { AuthenticationError, ConflictError, InvalidRequestError, NotFoundError, RateLimitError, Selfhood, SelfhoodError, UnreachableError } = await import(dist);

const persona = "inara";
const fact = { kind: "semantic", salience: 0.7, privacyClass: "guest-pii", consentBasis: "service-delivery" };
const owner = new Selfhood({ url, apiKey: ownerKey });
const guest = () => {
  const subject = `guest-${randomUUID().slice(0, 8)}`;
  return { subject, client: new Selfhood({ url, apiKey: forwardedKey, subject }) };
};
const all = async (memories) => {
  const found = [];
  for await (const memory of memories) found.push(memory);
  return found;
};

test("a memory is created, found, corrected and forgotten", async () => {
  const { subject, client } = guest();
  const inara = client.persona(persona);
  const memory = await inara.remember({ ...fact, gist: "The guest keeps a tortoise named Admiral.", subject });
  const recalled = await inara.recall("What pet do I have?");
  assert.ok(recalled.memories.some(({ id }) => id === memory.id));
  await client.reportUsed(recalled.recallId, { ids: [memory.id] });
  assert.equal((await client.inspectMemory(persona, memory.id)).memory.rehearsalCount, 1);
  const corrected = await client.correctMemory(persona, memory.id, { gist: "The guest keeps a tortoise named Commodore." });
  assert.equal(corrected.memory.revises, memory.id);
  await inara.forget(corrected.memory.id);
  assert.deepEqual(await all(inara.memories({ subject })), []);
});

test("pages are followed to the end, and nobody sees another's", async () => {
  const { subject, client } = guest();
  for (let number = 0; number < 5; number += 1) {
    await client.remember(persona, { ...fact, gist: `The guest wrote postcard number ${number}.`, subject });
  }
  assert.equal((await all(client.persona(persona).memories({ subject, limit: 2 }))).length, 5);
  assert.deepEqual(await all(client.speakingFor("somebody-else").persona(persona).memories()), []);
});

test("talk streams words and ends in a reply", async () => {
  const { client } = guest();
  const stream = await client.stream(persona, "I keep a parrot named Quartermaster.");
  let words = "";
  for await (const word of stream) words += word;
  assert.equal(words.trim(), stream.reply.text.trim());
  assert.ok(stream.reply.remembered.some(({ gist }) => gist.includes("Quartermaster")), JSON.stringify(stream.reply));
  const again = await client.say(persona, "What is my parrot called?", { session_id: stream.reply.sessionId });
  assert.match(again.text, /Quartermaster/);
  assert.equal((await client.explainRecall(again.recallId)).recallId, again.recallId);
});

test("talk off the record leaves nothing", async () => {
  const reply = await owner.say(persona, "I keep a newt named Bosun.", { off_record: true });
  assert.deepEqual([reply.recallId, reply.exchangeId, reply.remembered], [null, null, []]);
});

test("files are written over what was seen", async () => {
  const { file } = await owner.readFile("USER.md", { persona });
  const write = (tag) => owner.writeFile("USER.md", { persona }, { content: `${file.content}\nTea.` }, { headers: { "if-match": tag } });
  await assert.rejects(write('"stale"'), ConflictError);
  assert.notEqual((await write(file.etag)).file.etag, file.etag);
});

test("errors have their class, their code and the way out", async () => {
  await assert.rejects(owner.showPersona("nobody"), (error) => error instanceof NotFoundError && error.code === "persona_not_found" && error.requestId !== null);
  await assert.rejects(owner.remember(persona, { ...fact, gist: "" }), (error) => error instanceof InvalidRequestError && error.errors[0].pointer === "/gist");
  await assert.rejects(new Selfhood({ url, apiKey: "sh_no" }).listPersonas(), AuthenticationError);
  await assert.rejects(owner.say(persona, " "), InvalidRequestError);
  await assert.rejects(new Selfhood({ url: "http://127.0.0.1:1" }).listPersonas(), (error) => error instanceof UnreachableError && /selfhood serve/.test(error.message));
});

const busy = (times) => {
  const keys = [];
  const fetch = async (_, { headers }) => {
    keys.push(headers["idempotency-key"]);
    const isBusy = keys.length <= times;
    return new Response(JSON.stringify(isBusy ? { detail: "busy", code: "rate_limited" } : { memory: {} }), { status: isBusy ? 429 : 200, headers: { "retry-after": "0" } });
  };
  return { keys, client: new Selfhood({ url, fetch }) };
};

test("a busy server is asked again under the same key, a change without one is not repeated", async () => {
  const twice = busy(2);
  await twice.client.remember(persona, { ...fact, gist: "x" });
  assert.equal(twice.keys.length, 3);
  assert.equal(new Set(twice.keys).size, 1);
  await assert.rejects(busy(3).client.remember(persona, { ...fact, gist: "x" }), RateLimitError);
  const once = busy(1);
  await assert.rejects(once.client.correctMemory(persona, "mem:1", { gist: "x" }), RateLimitError);
  assert.equal(once.keys.length, 1);
});

test("an answer that breaks off is no reply, and an error in its middle is thrown", async () => {
  const talking = (events) => new Selfhood({ url, fetch: async () => new Response(events) });
  const broken = await talking('event: start\ndata: {"session_id": "s"}\n\nevent: token\ndata: {"text": "Hel"}\n\n').stream(persona, "hello");
  await assert.rejects(all(broken), UnreachableError);
  assert.throws(() => broken.reply, SelfhoodError);
  const failing = talking('event: error\ndata: {"error": "the model failed", "code": "model_failed", "status": 502}\n\n');
  await assert.rejects(failing.say(persona, "hello"), (error) => error.code === "model_failed");
});

test("a caller may end a call", async () => {
  const signal = AbortSignal.abort();
  await assert.rejects(owner.listPersonas({}, { signal }).catch((error) => Promise.reject(error)), (error) => error.name === "AbortError");
});
