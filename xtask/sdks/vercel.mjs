// Drives a running server with the Vercel AI SDK, which speaks the responses API unless told otherwise. Arguments: the
// SDK's folder, the server.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, server] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${folder}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { generateText, streamText, tool, stepCountIs } = await load("ai");
const { createOpenAI } = await load("@ai-sdk/openai");
const { z } = await load("zod");

const openai = createOpenAI({ baseURL: `${server}/v1`, apiKey: process.env.SELFHOOD_KEY });
const ANSWER = "Good evening from upstream.";
const weather = tool({
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sun in ${city}.`,
});

for (const [kind, model] of [["responses", openai("inara")], ["chat", openai.chat("inara")]]) {
  const whole = await generateText({ model, prompt: `Good evening, Vercel, by ${kind}!` });
  assert.equal(whole.text, ANSWER, kind);

  let text = "";
  for await (const piece of streamText({ model, prompt: `In pieces, Vercel, by ${kind}!` }).textStream) text += piece;
  assert.equal(text, ANSWER, kind);

  // The second step refers to the call by the name of its item.
  const prompt = `Use a tool, Vercel, by ${kind}: how is the weather?`;
  const told = await generateText({ model, prompt, tools: { weather }, stopWhen: stepCountIs(3) });
  assert.match(told.text, /sun in Cluj/, kind);

  const first = await generateText({ model, prompt: `Hello, Vercel, by ${kind}.` });
  const messages = [
    { role: "user", content: `Hello, Vercel, by ${kind}.` },
    ...first.response.messages,
    { role: "user", content: "And then?" },
  ];
  assert.equal((await generateText({ model, messages })).text, ANSWER, kind);
}
console.log("vercel: 8 checks passed");
