"""SillyTavern's own server reads the cards that we write, we read the cards, chats and world info that it writes, and it
talks with a persona of our server.

Arguments: the folder of the npm packages, the program, its home, a folder for files.
"""

import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request
import uuid

from tried import Selfhood, check, finish

packages, binary, home, folder = sys.argv[1:]
folder = pathlib.Path(folder)
tavern = pathlib.Path(packages) / "sillytavern"

MARA = {
    "name": "Mara",
    "description": "Mara keeps the ferry between two islands.",
    "personality": "calm, dry, exact",
    "scenario": "A quay in fog.",
    "first_mes": "Mind the rope, {{user}}.",
    "mes_example": "<START>\n{{user}}: Late?\n{{char}}: Never.",
    "creator_notes": "Written for a test.",
    "system_prompt": "Stay in the scene.",
    "post_history_instructions": "",
    "alternate_greetings": ["The fog lifts at nine."],
    "tags": ["sea", "quiet"],
    "creator": "somebody",
    "character_version": "2",
    "extensions": {"odd/thing": {"kept": True}},
    "group_only_greetings": [],
    "character_book": {
        "name": "Islands",
        "extensions": {},
        "entries": [
            {"keys": ["ferry", "timetable"], "content": "The ferry leaves at six.", "enabled": True, "insertion_order": 1, "extensions": {}},
            {"keys": ["wreck"], "content": "The wreck is off limits.", "enabled": False, "insertion_order": 2, "extensions": {}},
        ],
    },
}


class Tavern:
    """The server, as long as it is needed."""

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (folder / "config.yaml").write_text((tavern / "default/config.yaml").read_text())
        words = ["--port", str(self.port), "--dataRoot", folder / "data", "--configPath", folder / "config.yaml"]
        words += ["--disableCsrf", "--browserLaunchEnabled", "false"]
        log = open(folder / "tavern.log", "w")
        self.process = subprocess.Popen(["node", "server.js", *map(str, words)], cwd=tavern, stdout=log, stderr=log)
        for _ in range(600):
            if self.process.poll() is not None:
                raise SystemExit((folder / "tavern.log").read_text())
            try:
                self.post("characters/all", {})
                return self
            except OSError:
                time.sleep(0.5)
        raise SystemExit("SillyTavern does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def post(self, path, body, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/{path}", data, {"content-type": kind})
        return urllib.request.urlopen(request, timeout=120).read()

    def upload(self, path, file, **fields):
        mark = uuid.uuid4().hex
        parts = [f'--{mark}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
        head = f'--{mark}\r\ncontent-disposition: form-data; name="avatar"; filename="{file.name}"\r\ncontent-type: application/octet-stream\r\n\r\n'
        body = b"".join(parts) + head.encode() + file.read_bytes() + f"\r\n--{mark}--\r\n".encode()
        return json.loads(self.post(path, body, f"multipart/form-data; boundary={mark}"))

    def character(self, avatar):
        return json.loads(self.post("characters/get", {"avatar_url": avatar}))


def what_we_write_is_read(st, us):
    """A card goes through us and arrives in SillyTavern as it was."""
    (folder / "mara.json").write_text(json.dumps({"spec": "chara_card_v3", "spec_version": "3.0", "data": MARA}))
    us.run("persona", "import", str(folder / "mara.json"), "--name", "mara")
    check("our reader keeps the lorebook's enabled entry", us.gists("mara") == ["The ferry leaves at six."], us.gists("mara"))
    for kind in ["png", "json", "charx"]:
        file = folder / f"out.{kind}"
        us.run("persona", "export", "mara", str(file))
        answer = st.upload("characters/import", file, file_type=kind)
        check(f"SillyTavern imports our {kind}", "file_name" in answer, answer)
        data = st.character(answer["file_name"] + ".png")["data"]
        for field in ["name", "personality", "scenario", "first_mes", "mes_example", "alternate_greetings", "tags", "creator", "system_prompt"]:
            check(f"{kind}: {field} arrives", data.get(field) == MARA[field], data.get(field))
        check(f"{kind}: description arrives", MARA["description"] in data["description"], data["description"])
        check(f"{kind}: unknown extensions arrive", data["extensions"].get("odd/thing") == {"kept": True}, data["extensions"])
        entries = data["character_book"]["entries"]
        check(f"{kind}: the lorebook arrives", [entry["keys"] for entry in entries] == [["ferry", "timetable"], ["wreck"]], entries)
        check(f"{kind}: what is off stays off", [entry["enabled"] for entry in entries] == [True, False], entries)
    return answer["file_name"] + ".png"


def what_it_writes_is_read(st, us, avatar):
    """The same card comes back as SillyTavern writes it, and so does the card it ships with."""
    for kind in ["png", "json"]:
        file = folder / f"back.{kind}"
        file.write_bytes(st.post("characters/export", {"format": kind, "avatar_url": avatar}))
        us.run("persona", "import", str(file), "--name", f"back-{kind}")
        identity = (pathlib.Path(home) / f"default/persona/back-{kind}/IDENTITY.md").read_text()
        check(f"we read SillyTavern's {kind}", MARA["description"] in identity, identity)
        check(f"{kind}: its lorebook becomes memories", us.gists(f"back-{kind}") == ["The ferry leaves at six."])
        greeting = us.json("persona", "show", f"back-{kind}")["persona"].get("greeting", "")
        check(f"{kind}: its greeting is the first turn", "Mind the rope" in greeting, greeting)
    shipped = tavern / "default/content/default_Seraphina.png"
    us.run("persona", "import", str(shipped), "--name", "seraphina")
    check("the card SillyTavern ships with has memories", len(us.gists("seraphina")) >= 3, us.gists("seraphina"))


def chats_are_read(st, us, avatar):
    """A chat as SillyTavern saves and exports it goes into the record."""
    chat = [
        {"user_name": "Tomas", "character_name": "Mara", "create_date": "2026-05-04@10h00m00s000ms", "chat_metadata": {"note_prompt": ""}},
        {"name": "Mara", "is_user": False, "is_system": False, "send_date": "May 4, 2026 10:00am", "mes": "Mind the rope, Tomas.", "extra": {}},
        {"name": "Tomas", "is_user": True, "is_system": False, "send_date": "May 4, 2026 10:01am", "mes": "Is the lighthouse lamp green?", "extra": {}},
        {"name": "Mara", "is_user": False, "is_system": False, "send_date": "May 4, 2026 10:02am", "mes": "Green since the spring.", "swipes": ["Red.", "Green since the spring."], "swipe_id": 1, "extra": {"reasoning": "hm"}},
        {"name": "SillyTavern System", "is_user": False, "is_system": True, "send_date": "May 4, 2026 10:03am", "mes": "hidden note", "extra": {}},
    ]
    st.post("chats/save", {"avatar_url": avatar, "file_name": "one", "chat": chat, "force": True})
    answer = json.loads(st.post("chats/export", {"avatar_url": avatar, "file": "one.jsonl", "exportfilename": "one.jsonl", "format": "jsonl", "is_group": False}))
    (folder / "one.jsonl").write_text(answer["result"])
    us.persona("talk")
    first = us.json("import", str(folder / "one.jsonl"), "--persona", "talk")
    check("its chat is recognised", (first["conversations"], first["turns"]) == (1, 3), first)
    check("the chosen swipe is on the record", us.said("talk", "Green since the spring"))
    again = us.json("import", str(folder / "one.jsonl"), "--persona", "talk")
    check("the same chat again adds nothing", (again["turns"], again["duplicates"]) == (0, 3), again)
    samples = sorted((tavern / "default").rglob("*.jsonl"))
    for sample in samples:
        us.persona(f"sample-{samples.index(sample)}")
        taken = us.json("import", str(sample), "--persona", f"sample-{samples.index(sample)}")
        check(f"{sample.name} of its own content is read", taken["turns"] > 0 and not taken["refused"], taken)


def world_info_is_read(st, us):
    """World info as SillyTavern writes it, and the one it ships with."""
    entries = {
        "0": {"uid": 0, "key": ["reef"], "keysecondary": [], "comment": "", "content": "The reef shows at low water.", "constant": False, "selective": False, "order": 100, "position": 0, "disable": False},
        "1": {"uid": 1, "key": ["mine"], "keysecondary": [], "comment": "", "content": "The mine is closed.", "constant": False, "selective": False, "order": 100, "position": 0, "disable": True},
    }
    st.post("worldinfo/edit", {"name": "islands", "data": {"entries": entries}})
    us.persona("lore")
    written = next((folder / "data").rglob("worlds/islands.json"))
    us.run("import", str(written), "--persona", "lore")
    check("its world info is read without what is off", us.gists("lore") == ["The reef shows at low water."], us.gists("lore"))
    us.persona("eldoria")
    shipped = tavern / "default/content/Eldoria.json"
    us.run("import", str(shipped), "--persona", "eldoria")
    keyed = [entry for entry in json.loads(shipped.read_text())["entries"].values() if not entry.get("disable")]
    check("the world info it ships with is read whole", len(us.gists("eldoria")) == len(keyed), us.gists("eldoria"))


def generated(st, url, said, stream):
    """What SillyTavern's server is answered when it asks ours as a custom source, as its page asks for it."""
    messages = [{"role": "system", "content": "Write the next reply in a fictional chat."}, {"role": "user", "content": said}]
    asked = {"chat_completion_source": "custom", "custom_url": f"{url}/v1", "model": "keeper", "messages": messages, "stream": stream}
    asked |= {"temperature": 1, "frequency_penalty": 0, "presence_penalty": 0, "top_p": 1, "max_tokens": 300}
    asked |= {"user_name": "Tomas", "char_name": "Keeper", "group_names": [], "custom_prompt_post_processing": ""}
    return st.post("backends/chat-completions/generate", asked).decode()


def it_talks_with_a_persona(st, us):
    """SillyTavern's server, pointed at ours, finds the persona and gets its answers, whole and word by word."""
    us.persona("keeper")
    us.run("memory", "add", "The ferry leaves at six.", "--persona", "keeper", "--kind", "semantic", "--salience", "0.9")
    key = us.run("key", "new", "--speaks", "owner", "-o", "quiet").stdout.strip()
    st.post("secrets/write", {"key": "api_key_custom", "value": key, "label": "ours"})
    with us.serving() as url:
        status = json.loads(st.post("backends/chat-completions/status", {"chat_completion_source": "custom", "custom_url": f"{url}/v1"}))
        check("it lists our personas", "keeper" in [model["id"] for model in status.get("data", [])], status)
        question = "When does the ferry leave?"
        whole = json.loads(generated(st, url, question, False))
        words = whole.get("choices", [{}])[0].get("message", {}).get("content", "")
        check("a turn is answered from memory", "six" in words, whole)
        pieces = generated(st, url, "And where does the ferry leave?", True)
        check("a turn is streamed to its end", "six" in pieces and pieces.rstrip().endswith("data: [DONE]"), pieces)
    check("what was said is on the record", us.said("keeper", question))


us = Selfhood(binary, home)
with Tavern() as st:
    it_talks_with_a_persona(st, us)
    avatar = what_we_write_is_read(st, us)
    what_it_writes_is_read(st, us, avatar)
    chats_are_read(st, us, avatar)
    world_info_is_read(st, us)
finish("SillyTavern")
