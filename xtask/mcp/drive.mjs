// The official TypeScript SDK against a running server and against `selfhood mcp`, in every mode it has.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [packages, url, binary, home, persona] = process.argv.slice(2);
const key = process.env.SELFHOOD_KEY;
const require = createRequire(pathToFileURL(`${packages}/client/package.json`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');

const TOOLS = ['recall', 'search_memories', 'add_memory', 'get_memory', 'list_memories', 'update_memory', 'forget_memory', 'about_me'];
const MODES = { old: 'legacy', automatic: 'auto', new: { pin: '2026-07-28' } };
let where = '';
let checks = 0;

/** Counts what holds, and stops at what does not. */
function check(isRight, what) {
  if (!isRight) {
    console.error(`${where}: ${typeof what === 'string' ? what : JSON.stringify(what)}`);
    process.exit(1);
  }
  checks += 1;
}

/** A client whose person answers questions with `says`. */
async function connected(mode, transport, says) {
  const client = new Client(
    { name: 'selfhood-trial', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.asked = 0;
  client.setRequestHandler('elicitation/create', async () => {
    client.asked += 1;
    return { action: 'accept', content: { yes: says() } };
  });
  await client.connect(transport());
  return client;
}

/** Everything a client does with a persona's memory. */
async function use(client, salt, answers) {
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  const { tools } = await client.listTools();
  check(tools.map(({ name }) => name).join() === TOOLS.join(), 'other tools');
  check(tools.every(({ title, outputSchema }) => title && outputSchema), 'a tool lacks words');
  const gist = `The beekeeper number ${salt} repairs clocks.`;
  const added = await call('add_memory', { gist, details: ['in winter'] });
  check(!added.isError, added);
  const { id } = added.structuredContent.memory;
  const found = await call('search_memories', { query: `beekeeper ${salt} clocks` });
  check(found.structuredContent.memories.some((memory) => memory.id === id), 'not found again');
  const recalled = await call('recall', { cue: `Who repairs clocks? Beekeeper ${salt}?` });
  check(recalled.content[0].text.includes(gist), recalled);
  const shown = await call('get_memory', { id });
  check(shown.structuredContent.memory.details[0] === 'in winter', shown);
  const better = await call('update_memory', { id, gist: gist.replace('repairs', 'winds') });
  const newer = better.structuredContent.memory.id;
  check(newer !== id, better);
  check((await call('list_memories', { limit: 1 })).structuredContent.memories.length === 1, 'a page of one');
  check((await call('about_me')).structuredContent.subject === 'ana', 'about somebody else');

  answers.next = false;
  const kept = await call('forget_memory', { id: newer });
  check(kept.structuredContent?.forgotten === false && client.asked === 1, kept);
  answers.next = true;
  const forgotten = await call('forget_memory', { id: newer });
  check(forgotten.structuredContent?.forgotten === true && client.asked === 2, forgotten);

  const refused = await call('add_memory', { gist: `Beekeeper ${salt} has diabetes.`, sensitive: false });
  check(refused.isError && refused.content[0].text.includes('sensitive_forbidden'), refused);
  const wrong = await call('recall', { cue: 7 }).catch((error) => ({ isError: true, content: [{ text: `${error}` }] }));
  check(wrong.isError, wrong);
  const unknown = await call('get_memory', { id: 'mem:000000000000' });
  check(unknown.isError && unknown.content[0].text.includes('memory_not_found'), unknown);

  const { prompts } = await client.listPrompts();
  check(prompts.map(({ name }) => name).join() === 'persona,what_you_remember', prompts);
  const prompt = await client.getPrompt({ name: 'what_you_remember', arguments: { about: 'clocks' } });
  check(prompt.messages[0].content.text, prompt);
  const { resourceTemplates } = await client.listResourceTemplates();
  check(resourceTemplates[0].name === 'memory', resourceTemplates);
  await client.listResources();
}

const overHttp = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp/${persona}`), { requestInit: { headers: { Authorization: `Bearer ${key}` } } });
const overStdio = () => new StdioClientTransport({ command: binary, args: ['--home', home, 'mcp', '--persona', persona, '--subject', 'ana'], stderr: 'ignore' });

let salt = 100;
for (const [name, mode] of Object.entries(MODES)) {
  for (const transport of [overHttp, overStdio]) {
    salt += 1;
    where = `${transport.name} ${name}`;
    const answers = { next: true };
    const client = await connected(mode, transport, () => answers.next);
    check(client.getNegotiatedProtocolVersion() === (name === 'old' ? '2025-11-25' : '2026-07-28'), `speaks ${client.getNegotiatedProtocolVersion()}`);
    await use(client, salt, answers);
    await client.close();
  }
}
console.log(`TypeScript SDK: ${checks} checks in 3 modes on 2 transports`);
