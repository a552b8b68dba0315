// Proves an exported log line by line, as docs/formats/audit.md says, with nothing but the browser's own
// cryptography. It throws the name of the first thing that does not hold, and where.

import { isSigned, must, readCheckpoint, same } from './checkpoint.js';
import { publicKeyOf } from './did-key.js';
import { hex, leafOf, Tree, unhex } from './merkle.js';

export async function canProve() {
  try {
    await crypto.subtle.importKey('raw', new Uint8Array(32).fill(1), 'Ed25519', false, ['verify']);
    return true;
  } catch (reason) {
    return reason?.name === 'DataError';
  }
}

export class LogProof {
  tree = new Tree();
  checkpoints = 0;
  covered = 0;
  keyring = 0;

  constructor(origin, signer) {
    this.origin = origin;
    this.key = publicKeyOf(signer);
  }

  /** What can't even be read is no part of a log. */
  async take(line) {
    await this.#read(line).catch((broken) => must(false, broken.at === undefined ? 'kind' : broken.message, broken.at ?? this.tree.size));
  }

  async #read(line) {
    const read = JSON.parse(line);
    const [kind] = Object.keys(read);
    if (kind === 'event') {
      must(read.event.seq === this.tree.size, 'order', read.event.seq);
      // Lines are canonical, so the bytes of the event are those inside of the line.
      await this.tree.append(await leafOf(line.slice('{"event":'.length, -1)));
    } else if (kind === 'leaf') await this.tree.append(unhex(read.leaf));
    else if (kind === 'checkpoint') await this.#check(readCheckpoint(read.checkpoint));
    else must(false, 'kind', this.tree.size);
  }

  async #check(checkpoint) {
    must(checkpoint.origin === this.origin, 'origin', checkpoint.size);
    must(checkpoint.size === this.tree.size, 'size', checkpoint.size);
    must(same(checkpoint.root, await this.tree.root()), 'root', checkpoint.size);
    must(await isSigned(checkpoint, this.key), 'signature', checkpoint.size);
    must(checkpoint.keyring === null || checkpoint.keyring >= this.keyring, 'keyring', checkpoint.size);
    this.keyring = checkpoint.keyring ?? this.keyring;
    this.covered = checkpoint.size;
    this.checkpoints += 1;
  }

  /** What came of it. Events after the newest checkpoint are in order, but no signature covers them yet. */
  async result() {
    return { events: this.tree.size, checkpoints: this.checkpoints, uncovered: this.tree.size - this.covered, root: hex(await this.tree.root()) };
  }
}
