"""What the scripts of this folder share: the program under test, and a place to say what holds."""

import contextlib
import json
import os
import subprocess
import sys
import threading

failures = []


def check(what, holds, seen=None):
    """Says whether something holds; `finish` tells all of it at the end."""
    if holds:
        print(f"  ok    {what}")
    else:
        failures.append(what)
        print(f"  FAIL  {what}: {str(seen)[:2000]}")


def finish(who):
    print(f"{who}: {'all as expected' if not failures else f'{len(failures)} checks failed'}")
    sys.exit(1 if failures else 0)


class Selfhood:
    """The built program on a home of its own."""

    def __init__(self, binary, home):
        self.binary, self.home = binary, home

    def run(self, *words, expect=(0,)):
        command = [self.binary, *words, "--home", self.home, "--keys", f"{self.home}-keys"]
        ran = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=dict(os.environ))
        if ran.returncode not in expect:
            print(ran.stdout, ran.stderr)
            raise SystemExit(f"{' '.join(words)} ended with {ran.returncode}")
        return ran

    def json(self, *words, expect=(0,)):
        return json.loads(self.run(*words, "-o", "json", expect=expect).stdout)

    def persona(self, name):
        """A persona that is empty."""
        self.run("persona", "new", name, "--template", "character")
        return name

    def gists(self, persona):
        lines = self.run("export", "--persona", persona, "--include-pii").stdout.splitlines()
        return sorted(line["gist"] for line in map(json.loads, lines) if "gist" in line)

    def said(self, persona, words):
        """Whether the record of a persona has these words."""
        found = self.json("session", "search", words, "--persona", persona)
        return words in json.dumps(found, ensure_ascii=False)

    @contextlib.contextmanager
    def serving(self):
        """The address of a server on the home, which runs until the block ends."""
        command = [self.binary, "serve", "--port", "0", "--home", self.home, "--keys", f"{self.home}-keys"]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        try:
            said = ""
            for line in server.stderr:
                said += line
                if line.startswith("listening on "):
                    break
            else:
                raise SystemExit(f"the server did not start: {said}")
            threading.Thread(target=server.stderr.read, daemon=True).start()
            yield line.removeprefix("listening on ").strip().rstrip("/")
        finally:
            server.terminate()
            server.wait()
