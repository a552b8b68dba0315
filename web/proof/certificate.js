// Verifies a certificate of erasure as docs/formats/certificate.md says, with the browser's own cryptography.
// It throws the name of the first thing that fails.

import { isSigned, must, readCheckpoint, same } from './checkpoint.js';
import { base58, publicKeyOf } from './did-key.js';
import { bytesOf, join, parentOf, sha256, unhex } from './merkle.js';

/** `copy` is a certificate, or a requester's copy with its opening. Gives the names of all that was checked. */
export async function checkCertificate(copy, trusted) {
  const document = copy.certificate ?? copy;
  must(document.type === 'ErasureCertificate' && document.v === 1, 'kind');
  const signer = await signerOf(document);
  must(trusted.includes(signer) && document.operator === signer, 'signer');
  if (document.outcome === 'done') checkOutcome(document);
  for (const log of document.audit) await checkLog(log, trusted);
  if (copy.opening) await checkOpening(document, copy.opening);
  return ['signature', ...(document.outcome === 'done' ? [document.scan.identifiers ? 'search' : 'unsearched', 'keys'] : []), 'log', ...(copy.opening ? ['person'] : [])];
}

/** Who signed it: a Data Integrity proof of the suite eddsa-jcs-2022. */
async function signerOf(document) {
  const { proof, ...content } = document;
  const [did, fragment] = String(proof?.verificationMethod).split('#');
  must(proof?.cryptosuite === 'eddsa-jcs-2022' && proof.type === 'DataIntegrityProof' && did === `did:key:${fragment}`, 'signature');
  const { proofValue, ...terms } = proof;
  const message = join(await sha256(bytesOf(canonical(terms))), await sha256(bytesOf(canonical(content))));
  const key = await crypto.subtle.importKey('raw', publicKeyOf(did), 'Ed25519', false, ['verify']);
  must(await crypto.subtle.verify('Ed25519', key, base58(proofValue.slice(1)), message), 'signature');
  return did;
}

function checkOutcome({ scan, places, keys, request, audit, proof }) {
  const isClean = !scan.hits && !scan.unread && places.every(({ hits }) => !hits);
  must(isClean && places.length && scan.files && scan.canariesPlanted > 0 && scan.canariesFound === scan.canariesPlanted, 'search');
  must(keys.epochAfter > keys.epochBefore && keys.mirrors.every(({ current }) => current), 'keys');
  const times = [request.receivedAt, scan.at, request.completedAt, proof.created];
  must(times.every((at, n) => !n || times[n - 1] <= at) && audit.length && isOnce(audit.map(({ origin }) => origin)), 'log');
  must(audit.every(({ consistency, events }) => consistency && isOnce(events)), 'log');
}

const isOnce = (all) => new Set(all).size === all.length;

async function checkLog({ origin, before, after, consistency, events }, trusted) {
  const [old, now] = [readCheckpoint(before), readCheckpoint(after)];
  const keys = trusted.map(publicKeyOf);
  for (const checkpoint of [old, now]) {
    const signed = await Promise.all(keys.map((key) => isSigned(checkpoint, key)));
    must(checkpoint.origin === origin && signed.some(Boolean), 'log');
  }
  must((now.keyring ?? Infinity) >= old.keyring && old.size <= now.size && events.every((seq) => seq < now.size), 'log');
  if (consistency) must(await isConsistent(old, now, consistency.map(unhex)), 'log');
}

/** RFC 9162, 2.1.4.2: that the log of `now` begins with the log of `old`. */
async function isConsistent(old, now, proof) {
  if (old.size === 0 || old.size === now.size) return !proof.length && same(old.root, old.size ? now.root : await sha256(new Uint8Array()));
  const path = (old.size & (old.size - 1)) === 0 ? [old.root, ...proof] : proof;
  let [first, last] = [old.size - 1, now.size - 1];
  for (; first & 1; first >>= 1) last >>= 1;
  let [one, two] = [path[0], path[0]];
  for (const hash of path.slice(1)) {
    if (last === 0) return false;
    if (first & 1 || first === last) {
      [one, two] = [await parentOf(hash, one), await parentOf(hash, two)];
      for (; first && !(first & 1); first >>= 1) last >>= 1;
    } else two = await parentOf(two, hash);
    [first, last] = [first >> 1, last >> 1];
  }
  return last === 0 && same(one, old.root) && same(two, now.root);
}

/** That the salted hash in the certificate is of this person. */
async function checkOpening(document, { salt, subject, identifiers }) {
  const key = await crypto.subtle.importKey('raw', unhex(salt), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const tag = await crypto.subtle.sign('HMAC', key, bytesOf(canonical({ identifiers, subject })));
  must(same(new Uint8Array(tag), unhex(document.subject.hash)), 'person');
}

/** RFC 8785: JSON with its members in order and no blanks. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
