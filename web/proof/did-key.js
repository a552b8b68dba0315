// did:key of an Ed25519 key: base58btc of ed01 and the 32 bytes of the key.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function publicKeyOf(did) {
  const match = /^did:key:z([1-9A-HJ-NP-Za-km-z]+)$/.exec(did);
  const bytes = match && base58(match[1]);
  if (!bytes || bytes.length !== 34 || bytes[0] !== 0xed || bytes[1] !== 0x01) throw new Error(`not an Ed25519 did:key: ${did}`);
  return bytes.slice(2);
}

/** Base58 as Bitcoin writes it; each leading 1 is a byte of zero. */
export function base58(text) {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(ALPHABET.indexOf(letter));
  const bytes = [];
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 0xffn));
  return Uint8Array.from([...new Array(/^1*/.exec(text)[0].length).fill(0), ...bytes]);
}
