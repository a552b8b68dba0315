// A signed checkpoint (c2sp.org/signed-note and /tlog-checkpoint): what it says, and whether the key signed it.

import { bytesOf, join, sha256 } from './merkle.js';

const unbase64 = (word) => Uint8Array.from(atob(word), (letter) => letter.charCodeAt(0));
/** Throws the name of what does not hold, and where. */
export function must(holds, what, at) {
  if (!holds) throw Object.assign(new Error(what), { at });
}

export const same = (a, b) => a.length === b.length && a.every((byte, n) => byte === b[n]);

export function readCheckpoint(note) {
  const split = note.lastIndexOf('\n\n');
  const body = note.slice(0, split + 1);
  const [origin, size, root, ...rest] = body.split('\n');
  const keyring = rest.map((line) => /^keyring (\d+)$/.exec(line)?.[1]).find(Boolean);
  const signatures = note.slice(split + 2).split('\n').filter((line) => line.startsWith('— ')).map((line) => line.split(' '));
  return { body, origin, size: Number(size), root: unbase64(root), keyring: keyring ? Number(keyring) : null, signatures };
}

/** Whether `key` (32 bytes) signed it as its origin. */
export async function isSigned(checkpoint, key) {
  const id = (await sha256(join(bytesOf(checkpoint.origin), [0x0a, 0x01], key))).slice(0, 4);
  const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  for (const [, name, value] of checkpoint.signatures) {
    const bytes = unbase64(value);
    if (name === checkpoint.origin && same(bytes.slice(0, 4), id)) return crypto.subtle.verify('Ed25519', imported, bytes.slice(4), bytesOf(checkpoint.body));
  }
  return false;
}
