// Verifies a certificate of erasure as docs/formats/certificate.md says, with nothing but the browser's own cryptography.
// It throws a `Broken` that names the first thing that does not hold.

import { isSigned, readCheckpoint, same } from './checkpoint.js';
import { base58, publicKeyOf } from './did-key.js';
import { join, sha256 } from './merkle.js';

export class Broken extends Error {}

const text = new TextEncoder();
const unhex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** `copy` is a certificate, or a requester's copy with its opening. Gives the names of all that was checked. */
export async function checkCertificate(copy, trusted) {
  const document = copy.certificate ?? copy;
  demand(document.type === 'ErasureCertificate' && document.v === 1, 'kind');
  const signer = await signerOf(document);
  demand(trusted.includes(signer) && document.operator === signer, 'signer');
  if (document.outcome === 'done') checkOutcome(document);
  for (const log of document.audit) await checkLog(log, signer, trusted);
  if (copy.opening) await checkOpening(document, copy.opening);
  return ['signature', ...(document.outcome === 'done' ? [document.scan.identifiers ? 'search' : 'unsearched', 'keys'] : []), 'log', ...(copy.opening ? ['person'] : [])];
}

/** Who signed it: a Data Integrity proof of the suite eddsa-jcs-2022. */
async function signerOf(document) {
  const { proof, ...content } = document;
  const [did, fragment] = String(proof?.verificationMethod).split('#');
  demand(proof?.cryptosuite === 'eddsa-jcs-2022' && proof.type === 'DataIntegrityProof' && did === `did:key:${fragment}`, 'signature');
  const { proofValue, ...terms } = proof;
  const message = join(await sha256(text.encode(canonical(terms))), await sha256(text.encode(canonical(content))));
  const key = await crypto.subtle.importKey('raw', publicKeyOf(did), 'Ed25519', false, ['verify']);
  demand(await crypto.subtle.verify('Ed25519', key, base58(proofValue.slice(1)), message), 'signature');
  return did;
}

function checkOutcome({ scan, places, keys, request, audit }) {
  const isClean = !scan.hits && !scan.unread && places.every(({ hits }) => !hits);
  demand(isClean && scan.canariesPlanted > 0 && scan.canariesFound === scan.canariesPlanted, 'search');
  demand(keys.epochAfter > keys.epochBefore && keys.mirrors.every(({ current }) => current), 'keys');
  demand(request.completedAt >= request.receivedAt && audit.length > 0 && audit.every(({ consistency }) => consistency), 'log');
}

async function checkLog({ origin, before, after, consistency, events }, signer, trusted) {
  const [old, now] = [readCheckpoint(before), readCheckpoint(after)];
  const keys = [...new Set([signer, ...trusted])].map(publicKeyOf);
  for (const checkpoint of [old, now]) {
    const signed = await Promise.all(keys.map((key) => isSigned(checkpoint, key)));
    demand(checkpoint.origin === origin && signed.some(Boolean), 'log');
  }
  demand(old.size <= now.size && events.every((seq) => seq < now.size), 'log');
  if (consistency) demand(await isConsistent(old, now, consistency.map(unhex)), 'log');
}

/** RFC 9162, 2.1.4.2: that the log of `now` begins with the log of `old`. */
async function isConsistent(old, now, proof) {
  if (old.size === 0 || old.size === now.size) return !proof.length && same(old.root, old.size ? now.root : await sha256(new Uint8Array()));
  const path = (old.size & (old.size - 1)) === 0 ? [old.root, ...proof] : proof;
  const node = (left, right) => sha256(join([1], left, right));
  let [first, last] = [old.size - 1, now.size - 1];
  for (; first & 1; first >>= 1) last >>= 1;
  let [one, two] = [path[0], path[0]];
  for (const hash of path.slice(1)) {
    if (last === 0) return false;
    if (first & 1 || first === last) {
      [one, two] = [await node(hash, one), await node(hash, two)];
      for (; first && !(first & 1); first >>= 1) last >>= 1;
    } else two = await node(two, hash);
    [first, last] = [first >> 1, last >> 1];
  }
  return last === 0 && same(one, old.root) && same(two, now.root);
}

/** That the salted hash in the certificate is of this person. */
async function checkOpening(document, { salt, subject, identifiers }) {
  const key = await crypto.subtle.importKey('raw', unhex(salt), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const tag = await crypto.subtle.sign('HMAC', key, text.encode(canonical({ identifiers, subject })));
  demand(hex(new Uint8Array(tag)) === document.subject.hash, 'person');
}

/** RFC 8785: JSON with its members in order and no blanks. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function demand(holds, what) {
  if (!holds) throw new Broken(what);
}
