"""Tries the program with services that operators run elsewhere: storage that speaks S3 and AWS KMS (both by moto,
which checks every signature), and a collector that reads OTLP with the published messages of OpenTelemetry.

    python drive.py path/to/selfhood folder
"""

import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import boto3
from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
REGION = "eu-central-1"
WORDS = "The harbour office closes at five."
# What the preparation below asks of moto before it starts to check who asks.
PREPARING = 5
checks = 0


def check(held, what):
    global checks
    if not held:
        sys.exit(f"services: not so: {what}")
    checks += 1
    print(f"ok  {what}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_moto():
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        env={**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": str(PREPARING)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server, f"http://127.0.0.1:{port}"
        except OSError:
            time.sleep(0.2)
    sys.exit("services: moto did not start")


def prepare(url):
    nobody = dict(endpoint_url=url, region_name=REGION, aws_access_key_id="x", aws_secret_access_key="x")
    iam = boto3.client("iam", **nobody)
    iam.create_user(UserName="selfhood")
    allowed = {"Effect": "Allow", "Action": ["s3:*", "kms:*"], "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
    iam.put_user_policy(UserName="selfhood", PolicyName="backups", PolicyDocument=policy)
    key = iam.create_access_key(UserName="selfhood")["AccessKey"]
    boto3.client("s3", **nobody).create_bucket(
        Bucket="backups", CreateBucketConfiguration={"LocationConstraint": REGION}
    )
    arn = boto3.client("kms", **nobody).create_key()["KeyMetadata"]["Arn"]
    known = {**nobody, "aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}
    return boto3.client("s3", **known), key, arn


class Home:
    """A home with its keys, and how the program is run on it."""

    def __init__(self, name, **environment):
        self.path = FOLDER / name
        plain = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.environment = {**plain, "SELFHOOD_HOME": str(self.path), **environment}

    def run(self, *arguments, **changed):
        ran = subprocess.run(
            [BINARY, *arguments], env={**self.environment, **changed}, capture_output=True, text=True, cwd=FOLDER
        )
        return ran.returncode, ran.stdout, ran.stderr

    def must(self, *arguments, **changed):
        status, out, said = self.run(*arguments, **changed)
        if status != 0:
            sys.exit(f"services: selfhood {' '.join(arguments)} ended with {status}: {out} {said}")
        return out

    def serve(self):
        log = open(FOLDER / f"{self.path.name}.log", "w+")
        server = subprocess.Popen([BINARY, "serve", "--port", "0"], env=self.environment, stderr=log, cwd=FOLDER)
        while True:
            log.seek(0)
            said = [line for line in log.read().splitlines() if line.startswith("listening on ")]
            if said:
                return server, said[0].removeprefix("listening on ")
            if server.poll() is not None:
                sys.exit("services: the server did not start")
            time.sleep(0.1)


def until(found, what, seconds=180):
    for _ in range(seconds * 5):
        if found():
            return check(True, what)
        time.sleep(0.2)
    check(False, what)


def try_backups(storage, key, url):
    home = Home(
        "home",
        AWS_ACCESS_KEY_ID=key["AccessKeyId"],
        AWS_SECRET_ACCESS_KEY=key["SecretAccessKey"],
        AWS_REGION=REGION,
        SELFHOOD_BACKUP_S3_ENDPOINT=url,
    )
    home.must("persona", "new", "inara")
    home.must("memory", "add", WORDS)
    # Each document may have 4 MiB, and a part of an upload has 8.
    for name in ["SOUL", "PROTOCOLS", "HELP", "MEMORY_MID", "MEMORY_LONG"]:
        document = home.path / "default" / "persona" / "inara" / f"{name}.md"
        document.write_text("A long list.\n" * 300_000)
    by_hand = "s3://backups/by-hand.backup"
    home.must("backup", "create", by_hand)
    stored = storage.get_object(Bucket="backups", Key="by-hand.backup")
    body = stored["Body"].read()
    parts = -(-stored["ContentLength"] // (8 * 1024 * 1024))
    check(stored["ETag"].strip('"').endswith(f"-{parts}") and parts > 1, "a backup longer than a part is sent in parts")
    check(body.startswith(b"selfhood-backup 1\n"), "a backup lies in the bucket")
    check(WORDS.encode() not in body and b"A long list" not in body, "only sealed bytes are in it")
    status, _, said = home.run("backup", "create", by_hand)
    check(status == 1 and "is there already" in said, "an object that is there is not overwritten")
    status, _, said = home.run("backup", "create", "s3://backups/b", AWS_SECRET_ACCESS_KEY="wrong-secret")
    check(status == 1 and "403" in said and "wrong-secret" not in said, "a wrong secret is refused, and not printed")
    status, _, said = home.run("backup", "create", "s3://nowhere/b")
    check(status == 1 and "NoSuchBucket" in said or "404" in said, "a bucket that is not there is named")
    shown = home.must("config", "show", "-o", "json")
    check(key["SecretAccessKey"] not in shown, "credentials are never shown")
    home.must("backup", "verify", by_hand)
    check(True, "a backup in a bucket verifies")
    shutil.copytree(f"{home.path}.keys", FOLDER / "new.keys")
    home.must("backup", "restore", by_hand, "--home", str(FOLDER / "new"))
    check(WORDS in home.must("memory", "list", "--home", str(FOLDER / "new")), "and comes back from it")
    try_schedule(home, storage)


def try_schedule(home, storage):
    old = "selfhood-20200101T000000000Z.backup"
    storage.put_object(Bucket="backups", Key=f"home/{old}", Body=b"old")
    storage.put_object(Bucket="backups", Key="home/notes.txt", Body=b"mine")
    (home.path / "selfhood.toml").write_text('[backup]\nto = "s3://backups/home/"\nevery = "1d"\nkeep = 1\n')
    late = [row for row in json.loads(home.must("doctor", "-o", "json")) if row["check"] == "backups"]
    check(late[0]["outcome"] == "warn", "the doctor knows that the newest backup is old")
    audit = home.must("key", "new", "--scope", "audit", "-o", "quiet").strip()
    server, address = home.serve()
    names = lambda: [o["Key"] for o in storage.list_objects_v2(Bucket="backups", Prefix="home/")["Contents"]]
    until(lambda: f"home/{old}" not in names(), "a scheduled backup is made, and the one too many goes")
    check("home/notes.txt" in names() and len(names()) == 2, "other objects stay")
    asked = urllib.request.Request(f"{address}/metrics", headers={"x-api-key": audit})
    told = lambda: urllib.request.urlopen(asked).read().decode()
    until(lambda: 'selfhood_backups_total{outcome="made"} 1' in told(), "the counters know of it")
    check("selfhood_backup_last_timestamp_seconds 1" in told(), "and when it was made")
    fine = [row for row in json.loads(home.must("doctor", "-o", "json")) if row["check"] == "backups"]
    check(fine[0]["outcome"] == "ok", "the doctor knows of it")
    check(len(json.loads(home.must("backup", "list", "-o", "json"))) == 1, "it is listed")
    home.must("backup", "drill")
    check(True, "a drill opens every record of it while the server runs")
    server.terminate()
    server.wait()
    check(not (home.path / ".outgoing").exists(), "nothing of it is left in the home")


def try_kms(key, arn, url):
    kms = dict(
        AWS_ACCESS_KEY_ID=key["AccessKeyId"],
        AWS_SECRET_ACCESS_KEY=key["SecretAccessKey"],
        SELFHOOD_VAULT_WRAPPING=f"aws-kms {arn}",
        SELFHOOD_VAULT_KMS_ENDPOINT=url,
    )
    home = Home("wrapped", **kms)
    home.must("persona", "new", "inara")
    home.must("memory", "add", WORDS)
    files = list(pathlib.Path(f"{home.path}.keys").rglob("*.key"))
    texts = [file.read_text() for file in files]
    check(len(files) >= 3 and all(f"wrapping: service aws-kms {arn}" in text for text in texts), "KMS wraps every key")
    check(WORDS in home.must("memory", "list"), "and unwraps them")
    check(json.loads(home.must("vault", "status", "-o", "json"))["wrapped"], "the status says so")
    home.must("vault", "rotate", "--yes")
    check(WORDS in home.must("memory", "list"), "a rotation makes a new key by it")
    bare = {name: "" for name in kms}
    status, _, said = home.run("memory", "list", **bare)
    check(status == 4 and arn in said and "vault.wrapping" in said, "without the service nothing opens, and its name is told")
    status, _, said = home.run("memory", "list", AWS_SECRET_ACCESS_KEY="wrong-secret")
    check(status == 4 and "wrong-secret" not in said, "nor with a wrong secret")
    kek = sorted(pathlib.Path(f"{home.path}.keys/default").glob("kek-*.key"))[-1]
    operator = next(pathlib.Path(f"{home.path}.keys").glob("operator-*.key"))
    blob = [line for line in operator.read_text().splitlines() if line.startswith("key: ")][0]
    check(blob not in kek.read_text(), "every key is wrapped by itself")


class Collector(http.server.BaseHTTPRequestHandler):
    spans, metrics, tokens = [], {}, set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.tokens.add(self.headers["x-token"])
        if self.path == "/v1/traces":
            message = json_format.Parse(body, ExportTraceServiceRequest())
            for resource in message.resource_spans:
                for scope in resource.scope_spans:
                    self.spans.extend(scope.spans)
        elif self.path == "/v1/metrics":
            message = json_format.Parse(body, ExportMetricsServiceRequest())
            for metric in message.resource_metrics[0].scope_metrics[0].metrics:
                self.metrics[metric.name] = metric
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def try_telemetry():
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    home = Home(
        "traced",
        SELFHOOD_TELEMETRY_OTLP_URL=f"http://127.0.0.1:{collector.server_port}",
        SELFHOOD_TELEMETRY_EVERY_SECONDS="1",
        SELFHOOD_OTLP_HEADERS="x-token=t0ken",
    )
    home.must("persona", "new", "inara")
    key = home.must("key", "new", "--speaks", "owner", "--scope", "read,write", "-o", "quiet").strip()
    server, address = home.serve()
    headers = {"x-api-key": key, "content-type": "application/json"}
    headers["traceparent"] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    body = json.dumps({"cue": WORDS}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{address}/v1/personas/inara/recall", body, headers)).read()
    recalled = lambda: [span for span in Collector.spans if span.name.endswith("/recall")]
    until(lambda: recalled() and "selfhood_http_requests_total" in Collector.metrics, "a collector gets both")
    span = recalled()[0]
    said = {attribute.key: attribute.value for attribute in span.attributes}
    check(said["http.response.status_code"].int_value == 200, "a span says how the request was answered")
    check(span.end_time_unix_nano > span.start_time_unix_nano > 0, "and when")
    everything = "".join(str(span) for span in Collector.spans) + str(Collector.metrics)
    check("inara" not in everything and "harbour" not in everything, "no name and no word is in them")
    check(Collector.tokens == {"t0ken"}, "the configured header goes with them")
    buckets = Collector.metrics["selfhood_verb_duration_seconds"].histogram.data_points[0]
    check(sum(buckets.bucket_counts) == buckets.count, "a histogram adds up")
    server.terminate()
    check(server.wait() == 0, "the server ends as usual")


moto, address = start_moto()
try:
    client, credentials, key_arn = prepare(address)
    try_backups(client, credentials, address)
    try_kms(credentials, key_arn, address)
    try_telemetry()
finally:
    moto.kill()
print(f"services: {checks} checks passed")
