"""mem0 keeps some memories and gives them out; we read what it writes.

Arguments: the program, its home, a folder for files.
"""

import hashlib
import http.server
import json
import os
import pathlib
import sys
import threading

os.environ.update(MEM0_TELEMETRY="False", OPENAI_API_KEY="none", MEM0_DIR=str(pathlib.Path(sys.argv[3]) / "mem0"))

from mem0 import Memory

from tried import Selfhood, check, finish

binary, home, folder = sys.argv[1:]
folder = pathlib.Path(folder)
SIZE = 64
TEXTS = ["Keeps two beehives behind the house.", "Reads the tide tables aloud.", "Prefers the window seat on trains."]


class Embeddings(http.server.BaseHTTPRequestHandler):
    """Vectors for mem0, which asks a model's server for them: any will do, as long as equal texts have equal ones."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        vector = lambda text: [byte / 255 for byte in hashlib.blake2b(str(text).encode(), digest_size=SIZE).digest()]
        data = [{"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(texts)]
        body = json.dumps({"object": "list", "model": "x", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}/v1"
memory = Memory.from_config({
    "vector_store": {"provider": "qdrant", "config": {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": SIZE, "collection_name": "moving"}},
    "embedder": {"provider": "openai", "config": {"model": "x", "openai_base_url": base, "embedding_dims": SIZE}},
    "llm": {"provider": "openai", "config": {"model": "x", "openai_base_url": base}},
    "history_db_path": str(folder / "history.db"),
})
for text in TEXTS:
    memory.add(text, user_id="ana", metadata={"source": "test"}, infer=False)
written = memory.get_all(filters={"user_id": "ana"})
file = folder / "mem0.json"
file.write_text(json.dumps(written, default=str))

us = Selfhood(binary, home)
us.persona("frommem0")
first = us.json("import", str(file), "--persona", "frommem0", "--subject", "ana")
check("its memories are recognised", first["memories"] == len(TEXTS), first)
check("they are what was said", us.gists("frommem0") == sorted(TEXTS), us.gists("frommem0"))
check("they have their own dates", first["undated"] == 0, first)
again = us.json("import", str(file), "--persona", "frommem0", "--subject", "ana")
check("the same again adds nothing", (again["memories"], again["duplicates"]) == (0, len(TEXTS)), again)
file.write_text(json.dumps(written["results"], default=str))
bare = us.json("import", str(file), "--persona", "frommem0", "--subject", "ana")
check("the bare list is the same", bare["duplicates"] == len(TEXTS), bare)
finish("mem0")
