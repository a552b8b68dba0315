// The tree of RFC 6962 over the leaves of a log, grown one leaf at a time.

export const bytesOf = (words) => new TextEncoder().encode(words);
export const unhex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
export const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
export const parentOf = (left, right) => sha256(join([1], left, right));
export const leafOf = (canonicalEvent) => sha256(join([0], bytesOf(canonicalEvent)));

/** Holds only the roots of the perfect subtrees, largest first. */
export class Tree {
  size = 0;
  #peaks = [];

  async append(leaf) {
    let node = leaf;
    for (let size = this.size; size & 1; size >>= 1) node = await parentOf(this.#peaks.pop(), node);
    this.#peaks.push(node);
    this.size += 1;
  }

  async root() {
    if (!this.#peaks.length) return sha256(new Uint8Array());
    let node = this.#peaks.at(-1);
    for (const peak of this.#peaks.slice(0, -1).reverse()) node = await parentOf(peak, node);
    return node;
  }
}
