#!/usr/bin/env python3
"""Verifies a certificate of erasure, an exported audit log, a persona's document or bundle, or a backup, from the published
formats alone.

    pip install cryptography
    python3 verify.py FILE --signer did:key:z6Mk… [--signer …] [--origin LOG] [--against CHECKPOINT_FILE]
                           [--passphrase-file FILE]

Ends with 0 if everything holds and with 6 if anything was changed. Written from docs/formats/signature.md, audit.md,
certificate.md, bundle.md and backup.md; it shares no code with the program that writes what it checks.
"""
import argparse, base64, hashlib, hmac, json, os, re, struct, sys, tempfile, zipfile, zlib
from datetime import datetime, timezone
from decimal import Decimal
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
sha256 = lambda data: hashlib.sha256(data).digest()
node = lambda left, right: sha256(b"\1" + left + right)

def demand(condition, why):
    if not condition: raise ValueError(why)

def whole(digits):
    demand(digits.lstrip("-").isdigit() and abs(int(digits)) < 2**53, "a number is too large or not whole")
    return int(digits)

def number(digits):
    demand(abs(float(digits)) < 2**53, "a number is too large")
    return float(digits)

def parse(text, fraction=whole):
    """Strict JSON. Only persona documents hold fractions."""
    def members(pairs):
        demand(len({name for name, _ in pairs}) == len(pairs), "a name is repeated within one object")
        return dict(pairs)
    return json.loads(text, object_pairs_hook=members, parse_int=whole, parse_float=fraction, parse_constant=whole)

def printed(number):
    """A number as ECMAScript prints it; `repr` gives the same digits in another notation."""
    digits, exponent = Decimal(repr(number)).normalize().as_tuple()[1:]
    digits, sign = "".join(map(str, digits)), "-" if number < 0 else ""
    point = len(digits) + exponent
    if number == 0: return "0"
    if exponent >= 0 and point <= 21: return sign + digits + "0" * exponent
    if 0 < point <= 21: return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0: return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{digits[0]}{'.' * (len(digits) > 1)}{digits[1:]}e{point - 1:+d}"

def canonical(value):
    """RFC 8785."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return b"{" + b",".join(canonical(name) + b":" + canonical(value[name]) for name in names) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(canonical, value)) + b"]"
    if isinstance(value, float):
        return printed(value).encode()
    return json.dumps(value, ensure_ascii=False).encode()

def base58(text):
    demand(text.startswith("z") and len(text) <= 129 and set(text[1:]) <= set(BASE58), "not base58btc")
    number = 0
    for digit in text[1:]:
        number = number * 58 + BASE58.index(digit)
    return b"\0" * (len(text[1:]) - len(text[1:].lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8, "big")

def unbase64(text):
    raw = base64.b64decode(text, validate=True)
    demand(base64.b64encode(raw).decode() == text, "not the one base64 of its bytes")
    return raw

def unbase64url(text):
    right = isinstance(text, str) and re.fullmatch(r"[\w-]{86}", text, re.ASCII)
    demand(right, "the signature is not base64url of 64 bytes")
    return unbase64(text.replace("-", "+").replace("_", "/") + "==")

def public_key(did):
    raw = base58(did.removeprefix("did:key:"))
    demand(did.startswith("did:key:") and len(raw) == 34 and raw[:2] == b"\xed\x01", "not an Ed25519 did:key")
    return Ed25519PublicKey.from_public_bytes(raw[2:])

def moment(text):
    demand(isinstance(text, str) and len(text) == 24 and text.endswith("Z"), "not a time in UTC with milliseconds")
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)

def check_signature(key, signature, message, what):
    try:
        key.verify(signature, message)
    except InvalidSignature:
        raise ValueError(f"{what} was changed after signing") from None

def exactly(value, names, what):
    demand(isinstance(value, dict) and set(value) == set(names.split()), f"{what} has other members than {names}")
    return value

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
    check_signature(public_key(did), base58(str(proof.get("proofValue"))), message, "the document")
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

def open_note(note, name, signers, what):
    """Opens a signed note; gives its text and its signer."""
    text, separator, lines = note.rpartition("\n\n")
    demand(separator and lines.endswith("\n"), f"{what} is no signed note")
    text, signer = text + "\n", None
    for line in lines[:-1].split("\n"):
        demand(re.fullmatch(r"— [^ ]+ [A-Za-z0-9+/]+={0,2}", line), f"a signature line of {what} is malformed")
        words = line.split(" ")
        raw = unbase64(words[2])
        for did in signers:
            key = public_key(did)
            if words[1] == name and raw[:4] == sha256(f"{name}\n\1".encode() + key.public_bytes_raw())[:4]:
                check_signature(key, raw[4:], text.encode(), what)
                signer = signer or did
    demand(signer, f"{what} is not signed as {name} by a trusted signer")
    return text, signer

def checkpoint(note, origin, signers):
    """Opens a signed checkpoint; gives size, root and the keyring's counter."""
    text, _ = open_note(note, origin, signers, "the checkpoint")
    fields = text.split("\n")
    demand(fields[0] == origin, "the checkpoint is of another log")
    number = lambda digits: int(digits) if digits.isdigit() and str(int(digits)) == digits else demand(False, "not a number")
    keyring = next((number(line[8:]) for line in fields[3:] if line.startswith("keyring ")), None)
    return number(fields[1]), unbase64(fields[2]), keyring

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

def no_twice(values):
    return len(set(values)) == len(values)

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
        times = [request["receivedAt"], scan["at"], request["completedAt"], document["proof"]["created"]]
        demand(sorted(times, key=moment) == times, "it was not received, searched, completed and signed in this order")
        demand(document["places"] and scan["files"], "nothing was searched")
        demand(document["audit"], "no audit log is named")
        demand(no_twice([log["origin"] for log in document["audit"]]), "a log is named twice")
        demand(all(no_twice(log["events"]) for log in document["audit"]), "an event is named twice")
        demand(all(log.get("consistency") is not None for log in document["audit"]), "a log has no proof of consistency")
    for log in document["audit"]:
        old, old_root, counter = checkpoint(log["before"], log["origin"], signers)
        new, new_root, later = checkpoint(log["after"], log["origin"], signers)
        demand(counter is None or later is None or counter <= later, "the keyring's counter fell")
        demand(old <= new and all(seq < new for seq in log["events"]), "the log got shorter")
        if log.get("consistency") is not None:
            proof = [bytes.fromhex(hash) for hash in log["consistency"]]
            demand(check_consistency(old, old_root, new, new_root, proof), "the log was rewritten")
    if opening is not None:
        named = {"identifiers": opening["identifiers"], "subject": opening["subject"]}
        tag = hmac.new(bytes.fromhex(opening["salt"]), canonical(named), hashlib.sha256).hexdigest()
        demand(tag == document["subject"]["hash"], "the opening is that of another subject")
    return f"certificate {document['id']}: {document['outcome']}, signed by {signer} at {document['proof']['created']}"

def check_document(document, signers):
    block = document.get("signature")
    demand(block is not None, "the document is not signed")
    signer = exactly(block, "algorithm signer contentHash value", "the signature")["signer"]
    demand(block["algorithm"] == "ed25519", "the signature is not by ed25519")
    raw = unbase64url(block["value"])
    signed = canonical({name: value for name, value in document.items() if name not in ("memory", "signature")})
    demand(block["contentHash"] == f"sha256:{sha256(signed).hex()}", "the document was changed after signing")
    demand(signer in signers, f"the document is signed by {signer}, who is not among the trusted signers")
    check_signature(public_key(signer), raw, signed, "the signature of the document")
    return f"document of {document['identity']['name']}, signed by {signer}"

SEALED = b"selfhood-sealed-"
PIECE = 65536 + 16

def unseal(file, passphrase):
    """Opens a file sealed with a passphrase; gives its content as a file."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
    head = file.readline(200)
    costs = re.fullmatch(rb"selfhood-sealed-1 argon2id m=(\d{1,7}) t=(\d{1,2}) p=(\d{1,2}) salt=([\w-]{22})\n", head)
    demand(costs, "the first line does not say how it is sealed")
    memory, passes, lanes = map(int, costs.groups()[:3])
    demand(memory <= 1 << 20 and passes <= 64, "the passphrase would cost too much")
    salt, nonce = base64.urlsafe_b64decode(costs[4] + b"=="), file.read(24)
    key = Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(passphrase)
    # XChaCha20 is ChaCha20 under a key made by HChaCha20: eight words of a block, without the final addition of the input.
    block = Cipher(algorithms.ChaCha20(key, nonce[:16]), None).encryptor().update(bytes(64))
    start = struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<4I", nonce[:16])
    words = struct.unpack("<16I", block)
    subkey = struct.pack("<8I", *((word - first) % 2**32 for word, first in zip(words[:4] + words[12:], start)))
    cipher, plain, number = ChaCha20Poly1305(subkey), tempfile.TemporaryFile(), int.from_bytes(nonce[16:], "little")
    piece = file.read(PIECE)
    while piece:
        following = file.read(PIECE)
        counted = bytes(4) + (number % 2**64).to_bytes(8, "little")
        try:
            plain.write(cipher.decrypt(counted, piece, head + (b"\0" if following else b"\1")))
        except InvalidTag:
            raise ValueError("another passphrase, or changed after sealing") from None
        piece, number = following, number + 1
    demand(plain.tell(), "what was sealed is missing")
    return plain

def unpack(archive, name, most):
    try:
        with archive.open(name) as entry:
            content = entry.read(most)
            demand(not entry.read(1), f"`{name}` is longer than it may be")
            return content
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise ValueError(f"`{name}` can't be unpacked: {str(error) or 'it is cut off'}") from None

def check_bundle(file, signers, against):
    archive = zipfile.ZipFile(file)
    names = archive.namelist()
    demand(len(set(names)) == len(names), "two entries of the archive have the same name")
    demand({"manifest.json", "signature.json"} <= set(names), "there is no manifest.json or no signature.json")
    manifest, signature = (parse(unpack(archive, f"{name}.json", 1 << 26).decode()) for name in ("manifest", "signature"))
    exactly(manifest, "format version persona deploymentDid counts leftOut parts", "manifest.json")
    exactly(signature, "signer signature", "signature.json")
    demand((manifest["format"], manifest["version"]) == ("selfhood-persona-bundle", 1), "no bundle of version 1")
    signer, persona = signature["signer"], exactly(manifest["persona"], "id name displayName", "the persona")
    demand(signer in signers, f"signed by {signer}, who is not among the trusted signers")
    check_signature(public_key(signer), unbase64url(signature["signature"]), canonical(manifest), "manifest.json")
    parts = {exactly(part, "path sha256 bytes", "a part")["path"]: part for part in manifest["parts"]}
    demand(len(parts) == len(manifest["parts"]), "a part is listed twice")
    other = set(names) - {"manifest.json", "signature.json"} ^ set(parts)
    demand(not other, f"in the archive or in the manifest, but not in both: {', '.join(sorted(other))}")
    lines, log, document = {}, b"", "no document"
    for path, part in parts.items():
        content = unpack(archive, path, part["bytes"])
        same = (len(content), sha256(content).hex()) == (part["bytes"], part["sha256"])
        demand(same, f"`{path}` is not what the manifest says")
        lines[path], log = content.count(b"\n"), content if path == "audit.jsonl" else log
        if path == "persona.json":
            # The manifest covers its bytes. What its own signature says besides does not make the bundle another.
            try:
                document = check_document(parse(content.decode(), number), signers)
            except ValueError as error:
                document = f"its document: {error}"
    lines["files"] = sum(path == "persona.json" or path.startswith("files/") for path in parts)
    for path, counted in COUNTED.items():
        count = sum(manifest["counts"].get(name, 0) for name in counted.split())
        demand(lines.get(path, 0) == count, f"`{path}`: {lines.get(path, 0)}, and the manifest counts {count}")
    try:
        evidence = check_export(log, signers, None, against) if log or against else "no audit log"
    except ValueError as error:
        raise ValueError(f"audit.jsonl: {error}") from None
    demand(not log or evidence.split(":")[0].endswith(f"/{persona['id']}"), "the audit log is that of another persona")
    return f"bundle of {persona['name']} ({persona['id']}): {len(parts)} parts, signed by {signer}; {document}; {evidence}"

COUNTED = {"memories.jsonl": "memories personalMemories", "timeline.jsonl": "events", "sessions.jsonl": "conversations",
           "files": "files ownerFiles"}
DOCUMENTS = """persona.json IDENTITY.md SOUL.md PROTOCOLS.md CONTEXT_TIERS.md USER.md HELP.md CARD.json MEMORY_SHORT.md MEMORY_MID.md
    MEMORY_LONG.md MEMORY_SHORT.md.bak1 MEMORY_SHORT.md.bak2 MEMORY_MID.md.bak1 MEMORY_MID.md.bak2 MEMORY_LONG.md.bak1
    MEMORY_LONG.md.bak2 REMINDERS.md SCRATCH.md TASKS.json CRONS.json MEMORY_SHORT.sources MEMORY_MID.sources
    MEMORY_LONG.sources CONSENTS.jsonl API_KEYS.jsonl""".split()

def place(path):
    """Where a part of a backup stands in the order of parts: kind, tenant, persona, document."""
    if path == "deployment.db": return (0, "")
    found = re.fullmatch(r"([a-z0-9_][a-z0-9_-]{0,63})/(keyring|channels\.json|persona/([a-z_][a-z0-9_-]{0,31})/([\w.]+))", path)
    demand(found, f"a home has no `{path}`")
    tenant, rest, persona, name = found.groups()
    if persona is None: return (1 if rest == "keyring" else 2, tenant)
    demand(name in ["memory.db", *DOCUMENTS], f"a home has no `{path}`")
    return (3, tenant, persona) if name == "memory.db" else (4, tenant, persona, DOCUMENTS.index(name))

def check_backup(file, signers):
    demand(file.readline(64) == b"selfhood-backup 1\n", "the first line is not that of a backup of version 1")
    length = file.readline(64)
    right = re.fullmatch(rb"[1-9][0-9]{0,7}\n", length) and int(length) <= 1 << 26
    demand(right, "the second line is not the length of the list of contents")
    note = file.read(int(length)).decode(errors="replace")
    text, signer = open_note(note, "selfhood/backup", signers, "the list of contents")
    listed = exactly(parse(text), "createdAt tenants parts", "the list of contents")
    demand(canonical(listed) + b"\n" == text.encode(), "the list of contents is not canonical")
    moment(listed["createdAt"])
    tenants = [exactly(tenant, "name epoch counter", "a tenant")["name"] for tenant in listed["tenants"]]
    places = [place(exactly(part, "path bytes sha256", "a part")["path"]) for part in listed["parts"]]
    demand(all(one < next for one, next in zip(places, places[1:])), "the parts are not in order")
    demand((0, "") in places, "deployment.db is missing")
    demand({at[1] for at in places if at[0] == 1} == set(tenants), "a tenant has no keyring, or a keyring no tenant")
    demand({at[1] for at in places if at[0]} <= set(tenants), "a part belongs to a tenant that is not listed")
    expected, found = file.tell() + sum(part["bytes"] for part in listed["parts"]), os.fstat(file.fileno()).st_size
    demand(expected == found, f"it should have {expected} bytes and has {found}")
    for part in listed["parts"]:
        hash, left = hashlib.sha256(), part["bytes"]
        while left:
            block = file.read(min(left, 1 << 20))
            demand(block, "it is cut off")
            hash.update(block)
            left -= len(block)
        demand(hash.hexdigest() == part["sha256"], f"`{part['path']}` is not what was backed up")
    return f"backup of {listed['createdAt']}: {len(places)} parts of {len(tenants)} tenants, signed by {signer}"

def check(file, given, against, passphrase):
    head = file.read(20)
    file.seek(0)
    if head.startswith(b"selfhood-backup "):
        return check_backup(file, given.signer)
    if head.startswith((SEALED, b"PK")):
        return check_bundle(unseal(file, passphrase) if head.startswith(SEALED) else file, given.signer, against)
    if head.startswith((b'{"event"', b'{"leaf"', b'{"checkpoint"')):
        return check_export(file.read(), given.signer, given.origin, against)
    demand(head.lstrip().startswith(b"{"), "no certificate, audit log, document, bundle or backup")
    text = file.read().decode()
    if "identity" in (document := parse(text, number)):
        return check_document(document, given.signer)
    return check_certificate(parse(text), given.signer)

def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file"), options.add_argument("--origin"), options.add_argument("--against")
    options.add_argument("--passphrase-file"), options.add_argument("--signer", action="append", required=True)
    given = options.parse_args()
    first_line = lambda path: open(path, "rb").read().split(b"\n")[0].strip()
    passphrase = first_line(given.passphrase_file) if given.passphrase_file else None
    against = open(given.against, encoding="utf-8").read() if given.against else None
    with open(given.file, "rb") as file:
        if file.read(len(SEALED)) == SEALED and not passphrase:
            options.error("the file is sealed, and nothing in it can be verified without --passphrase-file")
        file.seek(0)
        try:
            print("holds:", check(file, given, against, passphrase))
        except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
            print(f"does not hold: {error}", file=sys.stderr)
            sys.exit(6)
main()
