// Proves an exported log line by line, as docs/formats/audit.md says, with nothing but the browser's own
// cryptography. It throws at the first thing that does not hold.

import { isSigned, readCheckpoint, same } from './checkpoint.js';
import { publicKeyOf } from './did-key.js';
import { leafOf, Tree } from './merkle.js';

/** Whether this browser can do it at all. */
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
  events = 0;
  checkpoints = 0;
  covered = 0;
  keyring = 0;

  constructor(origin, signer) {
    this.origin = origin;
    this.key = publicKeyOf(signer);
  }

  async take(line) {
    const read = JSON.parse(line);
    const [kind] = Object.keys(read);
    if (kind === 'event') {
      if (read.event.seq !== this.tree.size) throw new Error(`event ${read.event.seq} stands where ${this.tree.size} belongs`);
      // Lines are canonical, so the bytes of the event are those inside of the line.
      await this.tree.append(await leafOf(line.slice('{"event":'.length, -1)));
      this.events += 1;
    } else if (kind === 'leaf') await this.tree.append(Uint8Array.from(read.leaf.match(/../g), (pair) => parseInt(pair, 16)));
    else if (kind === 'checkpoint') await this.#check(readCheckpoint(read.checkpoint));
    else throw new Error(`a line of an unknown kind: ${kind}`);
  }

  async #check(checkpoint) {
    const at = `checkpoint at ${checkpoint.size}`;
    if (checkpoint.origin !== this.origin) throw new Error(`${at} is of another log`);
    if (checkpoint.size !== this.tree.size) throw new Error(`${at} stands after ${this.tree.size} events`);
    if (!same(checkpoint.root, await this.tree.root())) throw new Error(`${at} has another root than the events before it`);
    if (!(await isSigned(checkpoint, this.key))) throw new Error(`${at} is not signed by the key that is trusted`);
    if (checkpoint.keyring !== null && checkpoint.keyring < this.keyring) throw new Error(`${at}: the keyring went back`);
    this.keyring = checkpoint.keyring ?? this.keyring;
    this.covered = checkpoint.size;
    this.checkpoints += 1;
  }

  /** What came of it. Events after the newest checkpoint are in order, and nobody vouches for them yet. */
  async result() {
    const root = [...(await this.tree.root())].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return { events: this.tree.size, checkpoints: this.checkpoints, uncovered: this.tree.size - this.covered, root };
  }
}
