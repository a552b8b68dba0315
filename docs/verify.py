#!/usr/bin/env python3
"""Verifies a certificate of erasure or an exported audit log, from the published formats alone.

    pip install cryptography
    python3 verify.py FILE --signer did:key:z6Mk… [--signer …] [--origin LOG] [--against CHECKPOINT_FILE]

Ends with 0 if everything holds and with 6 if anything was changed. Written from docs/formats/signature.md,
audit.md and certificate.md; it shares no code with the program that writes what it checks.
"""
import argparse, base64, hashlib, hmac, json, sys
from datetime import datetime, timezone
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
sha256 = lambda data: hashlib.sha256(data).digest()
node = lambda left, right: sha256(b"\1" + left + right)

def demand(condition, why):
    if not condition: raise ValueError(why)

def parse(text):
    """Strict JSON. The formats hold no fractions."""
    def members(pairs):
        demand(len({name for name, _ in pairs}) == len(pairs), "a name is repeated within one object")
        return dict(pairs)
    def whole(digits):
        demand(digits.lstrip("-").isdigit() and abs(int(digits)) < 2**53, "a number is too large or not whole")
        return int(digits)
    return json.loads(text, object_pairs_hook=members, parse_int=whole, parse_float=whole, parse_constant=whole)

def canonical(value):
    """RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return b"{" + b",".join(canonical(name) + b":" + canonical(value[name]) for name in names) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(canonical, value)) + b"]"
    return json.dumps(value, ensure_ascii=False).encode()

def base58(text):
    demand(text.startswith("z") and len(text) <= 129 and set(text[1:]) <= set(BASE58), "not base58btc")
    number = 0
    for digit in text[1:]:
        number = number * 58 + BASE58.index(digit)
    return b"\0" * (len(text[1:]) - len(text[1:].lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8, "big")

def public_key(did):
    raw = base58(did.removeprefix("did:key:"))
    demand(did.startswith("did:key:") and len(raw) == 34 and raw[:2] == b"\xed\x01", "not an Ed25519 did:key")
    return Ed25519PublicKey.from_public_bytes(raw[2:])

def moment(text):
    demand(isinstance(text, str) and len(text) == 24 and text.endswith("Z"), "not a time in UTC with milliseconds")
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)

def check_proof(document, signers):
    """A W3C Data Integrity proof, cryptosuite eddsa-jcs-2022; gives the signer's did:key."""
    proof = document.get("proof")
    demand(isinstance(proof, dict), "there is no single proof")
    kind = [proof.get(name) for name in ("type", "cryptosuite", "proofPurpose")]
    demand(kind == ["DataIntegrityProof", "eddsa-jcs-2022", "assertionMethod"], "the proof is of another kind")
    did, _, fragment = str(proof.get("verificationMethod")).partition("#")
    demand(did == f"did:key:{fragment}", "the verification method is no did:key")
    demand(did in signers, f"signed by {did}, who is not among the trusted signers")
    demand("@context" not in proof or proof["@context"] == document.get("@context"), "another context")
    terms = {name: value for name, value in proof.items() if name != "proofValue"}
    content = {name: value for name, value in document.items() if name != "proof"}
    message = sha256(canonical(terms)) + sha256(canonical(content))
    public_key(did).verify(base58(str(proof.get("proofValue"))), message)
    now = datetime.now(timezone.utc)
    demand(moment(proof.get("created")) <= now, "dated in the future")
    demand("expires" not in proof or moment(proof["expires"]) > now, "expired")
    return did

class Tree:
    def __init__(self):
        self.size, self.peaks = 0, []
    def append(self, leaf):
        size, self.size = self.size, self.size + 1
        while size & 1:
            leaf, size = node(self.peaks.pop(), leaf), size >> 1
        self.peaks.append(leaf)
    def root(self):
        root = self.peaks[-1] if self.peaks else sha256(b"")
        for peak in reversed(self.peaks[:-1]):
            root = node(peak, root)
        return root

def checkpoint(note, origin, signers):
    """Opens a signed note; gives size, root and the keyring's counter."""
    text, separator, lines = note.rpartition("\n\n")
    demand(separator and lines.endswith("\n"), "the checkpoint is no signed note")
    text, valid = text + "\n", False
    for line in lines[:-1].split("\n"):
        words = line.split(" ")
        demand(len(words) == 3 and words[0] == "—", "a signature line is malformed")
        raw = base64.b64decode(words[2], validate=True)
        for key in map(public_key, signers):
            if words[1] == origin and raw[:4] == sha256(f"{origin}\n\1".encode() + key.public_bytes_raw())[:4]:
                key.verify(raw[4:], text.encode())
                valid = True
    fields = text.split("\n")
    demand(valid and fields[0] == origin, "the checkpoint is of another log or by nobody trusted")
    number = lambda digits: int(digits) if digits.isdigit() and str(int(digits)) == digits else demand(False, "not a number")
    keyring = next((number(line[8:]) for line in fields[3:] if line.startswith("keyring ")), None)
    return number(fields[1]), base64.b64decode(fields[2], validate=True), keyring

def check_consistency(old, old_root, new, new_root, proof):
    """RFC 9162, 2.1.4.2."""
    if old in (0, new):
        return not proof and old_root == (sha256(b"") if old == 0 else new_root)
    path = ([old_root] if old & (old - 1) == 0 else []) + proof
    first, last = old - 1, new - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    one = two = path[0] if path else b""
    for hash in path[1:]:
        if last == 0: return False
        if first & 1 or first == last:
            one, two = node(hash, one), node(hash, two)
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            two = node(two, hash)
        first, last = first >> 1, last >> 1
    return last == 0 and one == old_root and two == new_root

def check_export(data, signers, origin, against):
    lines = data.split(b"\n")
    demand(lines.pop() == b"", "the last line is cut off")
    if origin is None:
        notes = (parse(line).get("checkpoint") for line in lines if line.startswith(b'{"checkpoint"'))
        origin = next(notes, "").split("\n")[0]
    kept = checkpoint(against, origin, signers) if against else None
    tree, covered, counter = Tree(), 0, -1
    for at, line in enumerate(lines, 1):
        value = parse(line.decode())
        demand(isinstance(value, dict) and len(value) == 1 and canonical(value) == line, f"line {at} is not canonical")
        if "checkpoint" in value:
            size, root, keyring = checkpoint(value["checkpoint"], origin, signers)
            demand((size, root) == (tree.size, tree.root()), f"line {at}: not what the checkpoint signed")
            demand(keyring is None or keyring >= counter, f"line {at}: the keyring's counter fell")
            covered, counter = size, counter if keyring is None else keyring
        elif "event" in value:
            demand(value["event"].get("seq") == tree.size, f"line {at}: an event is missing or out of place")
            tree.append(sha256(b"\0" + canonical(value["event"])))
        else:
            tree.append(bytes.fromhex(value["leaf"]))
        demand(kept is None or kept[0] != tree.size or kept[1] == tree.root(), "not the log of the kept checkpoint")
    demand(kept is None or kept[0] <= tree.size, "the end of the log was cut off")
    demand(tree.size and covered == tree.size, "the last events are covered by no checkpoint")
    return f"audit log {origin}: {tree.size} events, root {tree.root().hex()}"

def check_certificate(document, signers):
    opening = document.get("opening")
    if "certificate" in document:
        demand(set(document) == {"certificate", "opening"}, "a requester's copy has two members")
        document = document["certificate"]
    demand((document["type"], document["v"]) == ("ErasureCertificate", 1), "no certificate of version 1")
    signer = check_proof(document, signers)
    demand(document["operator"] == signer, "another operator signed it")
    scan, keys, request = document["scan"], document["keys"], document["request"]
    if document["outcome"] == "done":
        demand(not scan["hits"] and not any(place["hits"] for place in document["places"]), "something was found")
        demand(not scan["unread"] and scan["canariesPlanted"] and scan["canariesFound"] == scan["canariesPlanted"], "the scan proves nothing")
        renewed = keys["epochAfter"] > keys["epochBefore"] and all(mirror["current"] for mirror in keys["mirrors"])
        demand(renewed, "the keys were not renewed everywhere")
        demand(moment(request["completedAt"]) >= moment(request["receivedAt"]), "it ended before it began")
        demand(document["audit"], "no audit log is named")
        demand(all(log.get("consistency") is not None for log in document["audit"]), "a log has no proof of consistency")
    for log in document["audit"]:
        old, old_root, _ = checkpoint(log["before"], log["origin"], signers)
        new, new_root, _ = checkpoint(log["after"], log["origin"], signers)
        demand(old <= new and all(seq < new for seq in log["events"]), "the log got shorter")
        if log.get("consistency") is not None:
            proof = [bytes.fromhex(hash) for hash in log["consistency"]]
            demand(check_consistency(old, old_root, new, new_root, proof), "the log was rewritten")
    if opening is not None:
        named = {"identifiers": opening["identifiers"], "subject": opening["subject"]}
        tag = hmac.new(bytes.fromhex(opening["salt"]), canonical(named), hashlib.sha256).hexdigest()
        demand(tag == document["subject"]["hash"], "the opening is that of another subject")
    return f"certificate {document['id']}: {document['outcome']}, signed by {signer} at {document['proof']['created']}"

def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file"), options.add_argument("--origin"), options.add_argument("--against")
    options.add_argument("--signer", action="append", required=True)
    given = options.parse_args()
    try:
        data = open(given.file, "rb").read()
        against = open(given.against, encoding="utf-8").read() if given.against else None
        if data.startswith((b'{"event"', b'{"leaf"', b'{"checkpoint"')):
            print("holds:", check_export(data, given.signer, given.origin, against))
        else:
            print("holds:", check_certificate(parse(data.decode()), given.signer))
    except (InvalidSignature, KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        print(f"does not hold: {str(error) or 'changed after signing'}", file=sys.stderr)
        sys.exit(6)
main()
