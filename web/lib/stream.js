// Server-sent events from a POST, which EventSource can't do.

import { ask } from './api.js';

/** Calls `heard(name, data)` for each event, until the stream or the listener ends. */
export async function listenTo(path, body, heard, signal) {
  const answer = await ask('POST', path, { body, signal });
  heard('headers', answer.headers);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) hear(block, heard);
  }
}

function hear(block, heard) {
  const field = (name) => block.split('\n').filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join('\n');
  const data = field('data');
  if (data) heard(field('event') || 'message', JSON.parse(data));
}
