// Drives a running server with OpenAI's own JavaScript SDK. Arguments: the SDK's folder, the server, the
// model's server. Ends with status 1 and the check that failed when something is not as the SDK expects it.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [folder, server, upstream] = process.argv.slice(2);
const sdk = createRequire(pathToFileURL(`${folder}/`)).resolve("openai");
const { default: OpenAI } = await import(pathToFileURL(sdk));

const KEY = process.env.SELFHOOD_KEY;
const client = new OpenAI({ baseURL: `${server}/v1`, apiKey: KEY, maxRetries: 0 });
const hello = [{ role: "user", content: "Good evening!" }];
const tools = [{
  type: "function",
  function: {
    name: "weather",
    description: "The weather in a city.",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
}];
const seen = async () => (await fetch(`${upstream}/seen`)).json();

const checks = {
  async models() {
    const names = [];
    for await (const model of client.models.list()) names.push(model.id);
    assert.deepEqual(names, ["inara"]);
    for (const name of ["inara", "default/inara", "inara:private", "inara@3"]) {
      assert.equal((await client.models.retrieve(name)).id, name);
    }
  },

  async whole() {
    const { data, response } = await client.chat.completions.create({ model: "inara", messages: hello }).withResponse();
    assert.equal(data.choices[0].message.content, "Good evening from upstream.");
    assert.equal(data.choices[0].finish_reason, "stop");
    assert.deepEqual([data.usage.prompt_tokens, data.usage.total_tokens], [11, 16]);
    const recall = response.headers.get("x-recall-id");
    const why = await fetch(`${server}/v1/recalls/${recall}`, { headers: { "x-api-key": KEY } });
    assert.equal((await why.json()).recallId, recall);
  },

  async pieces() {
    const chunks = [];
    const asked = { model: "inara", messages: hello, stream: true, stream_options: { include_usage: true } };
    for await (const chunk of await client.chat.completions.create(asked)) chunks.push(chunk);
    const spoken = chunks.filter((chunk) => chunk.choices.length > 0);
    assert.deepEqual(spoken[0].choices[0].delta, { role: "assistant", content: "" });
    assert.equal(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size, 1);
    assert.equal(spoken.at(-1).choices[0].finish_reason, "stop");
    assert.ok(spoken.slice(0, -1).every((chunk) => chunk.choices[0].finish_reason === null));
    assert.equal(spoken.map((chunk) => chunk.choices[0].delta.content ?? "").join(""), "Good evening from upstream.");
    assert.equal(chunks.at(-1).usage.total_tokens, 16);
  },

  async tools() {
    const messages = [{ role: "user", content: "Use a tool: how is the weather?" }];
    const [choice] = (await client.chat.completions.create({ model: "inara", messages, tools })).choices;
    assert.equal(choice.finish_reason, "tool_calls");
    const [call] = choice.message.tool_calls;
    assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ["weather", { city: "Cluj" }]);
    messages.push(choice.message, { role: "tool", tool_call_id: call.id, content: "sunny." });
    const told = await client.chat.completions.create({ model: "inara", messages, tools });
    assert.equal(told.choices[0].message.content, "The tool said sunny.");
  },

  async toolsRunBySdk() {
    const runner = client.chat.completions.runTools({
      model: "inara",
      stream: true,
      messages: [{ role: "user", content: "Run a tool: how is the weather?" }],
      tools: [{ type: "function", function: { ...tools[0].function, parse: JSON.parse, function: ({ city }) => `sun in ${city}.` } }],
    });
    assert.equal(await runner.finalContent(), "The tool said sun in Cluj.");
  },

  async errors() {
    const stranger = new OpenAI({ baseURL: `${server}/v1`, apiKey: "sh_no", maxRetries: 0 });
    for (const [kind, status, attempt] of [
      [OpenAI.NotFoundError, 404, () => client.chat.completions.create({ model: "nobody", messages: hello })],
      [OpenAI.NotFoundError, 404, () => client.models.retrieve("nobody")],
      [OpenAI.UnprocessableEntityError, 422, () => client.chat.completions.create({ model: "inara", messages: [] })],
      [OpenAI.AuthenticationError, 401, () => stranger.models.list()],
    ]) {
      await assert.rejects(attempt, (error) => error instanceof kind && error.status === status && Boolean(error.code));
    }
  },

  async abort() {
    const before = (await seen()).left;
    const messages = [{ role: "user", content: "Count slowly." }];
    const headers = { "x-conversation-id": "aborted-by-javascript" };
    const stream = await client.chat.completions.create({ model: "inara", messages, stream: true }, { headers });
    let count = 0;
    for await (const _ of stream) {
      count += 1;
      if (count === 5) break;
    }
    for (let tries = 0; (await seen()).left === before; tries += 1) {
      assert.ok(tries < 200, "the upstream was not stopped");
      await pause(50);
    }
  },

  async embeddings() {
    const input = ["coffee in the lobby", "a swim at nine"];
    const numbers = await client.embeddings.create({ model: "any", input, encoding_format: "float" });
    // Without a format the SDK asks for base64 and decodes it by itself.
    const decoded = await client.embeddings.create({ model: "any", input });
    assert.equal(numbers.data.length, 2);
    numbers.data[0].embedding.forEach((number, at) => assert.ok(Math.abs(number - decoded.data[0].embedding[at]) < 1e-6));
  },

  async responses() {
    const first = await client.responses.create({ model: "inara", input: "Good evening, JavaScript!" });
    assert.equal(first.output_text, "Good evening from upstream.");
    assert.deepEqual([first.status, first.usage.total_tokens], ["completed", 16]);
    await client.responses.create({ model: "inara", input: "And then?", previous_response_id: first.id });
    const said = (await seen()).last.messages.map((message) => message.content);
    assert.ok(said.includes("Good evening, JavaScript!"), "the record is continued");
  },

  async responsesInEvents() {
    const stream = client.responses.stream({ model: "inara", input: "Good evening, in events, JavaScript!" });
    let text = "";
    stream.on("response.output_text.delta", (event) => { text += event.delta; });
    const final = await stream.finalResponse();
    assert.equal(text, "Good evening from upstream.");
    assert.equal(final.output_text, text);
  },

  async responsesWithTools() {
    const functions = [{ type: "function", strict: false, ...tools[0].function }];
    const asked = { model: "inara", tools: functions };
    const first = await client.responses.create({ ...asked, input: "Use a tool by responses, JavaScript: the weather?" });
    const [call] = first.output;
    assert.deepEqual([call.type, call.name, JSON.parse(call.arguments)], ["function_call", "weather", { city: "Cluj" }]);
    const output = [{ type: "function_call_output", call_id: call.call_id, output: "sunny." }];
    const told = await client.responses.create({ ...asked, input: output, previous_response_id: first.id });
    assert.equal(told.output_text, "The tool said sunny.");
  },

  async responsesNotStored() {
    const { data, response } =
      await client.responses.create({ model: "inara", input: "A secret.", store: false }).withResponse();
    assert.equal(response.headers.get("x-recall-id"), null);
    const next = () => client.responses.create({ model: "inara", input: "And?", previous_response_id: data.id });
    await assert.rejects(next, (error) => error instanceof OpenAI.NotFoundError);
  },

  async privateAndTier() {
    const { response } = await client.chat.completions.create({ model: "inara:private", messages: hello }).withResponse();
    assert.equal(response.headers.get("x-recall-id"), null);
    await client.chat.completions.create({ model: "inara@1", messages: hello });
    const short = (await seen()).last.messages[0].content.length;
    await client.chat.completions.create({ model: "inara@4", messages: hello });
    assert.ok(short < (await seen()).last.messages[0].content.length, "tier 1 loads less than tier 4");
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    console.log(`javascript: ${name}: ${error.stack}`);
    process.exit(1);
  }
}
console.log(`javascript: ${Object.keys(checks).length} checks passed`);
process.exit(0);
