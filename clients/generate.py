"""Writes the typed parts of both clients from a server's `/openapi.json`.

    python3 clients/generate.py OPENAPI.json            # write the files
    python3 clients/generate.py OPENAPI.json --check    # fail if a file differs

Only the standard library is used. `cargo xtask clients` runs the check against the binary it has built, so the
clients can't describe another API than the one that is served.
"""

import json
import sys
from pathlib import Path

import generate_python
import generate_typescript

HERE = Path(__file__).parent
PACKAGE = HERE / "python" / "src" / "selfhood"
SOURCES = HERE / "typescript" / "src"


def generated(document):
    """Every generated file with its text."""
    return {
        PACKAGE / "schema.py": generate_python.schema(document),
        PACKAGE / "operations.py": generate_python.operations(document, "sync"),
        PACKAGE / "async_operations.py": generate_python.operations(document, "async"),
        SOURCES / "schema.ts": generate_typescript.schema(document),
        SOURCES / "operations.ts": generate_typescript.operations(document),
    }


def main(arguments):
    path, *options = arguments
    document = json.loads(Path(path).read_text())
    stale = [file for file, text in generated(document).items() if not file.exists() or file.read_text() != text]
    if options == ["--check"]:
        for file in stale:
            print(
                f"{file.relative_to(HERE.parent)} is not what the server describes; run `cargo xtask clients --write`"
            )
        return 1 if stale else 0
    for file, text in generated(document).items():
        file.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
