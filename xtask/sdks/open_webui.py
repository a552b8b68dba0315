"""Starts Open WebUI and talks through it, as its page does, with a persona of a running server. Arguments: the server.

Two people sign in and talk; Open WebUI signs who is speaking and asks for titles, tags and follow-ups of its own. What
the server has remembered of whom is checked afterwards. All of it twice: with the header that names tasks, and without.
With `--install VERSION` it installs Open WebUI into the Python that runs it, without the packages for documents, sound
and pictures.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid

# What its "slim" image leaves out as well, and what only these need.
LEFT_OUT = {"accelerate", "einops", "faster-whisper", "opencv-python-headless", "rapidocr", "sentence-transformers"}
LEFT_OUT |= {"transformers"}
# What it imports without naming it, because one of those would have brought it.
MISSING = ["typer"]


def install(version):
    from importlib import metadata

    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", f"open-webui=={version}"], check=True)
    wanted = [package for package in metadata.requires("open-webui") if "extra ==" not in package]
    named = [(re.match(r"[\w.-]+", package)[0], package) for package in wanted]
    subprocess.run([*pip, *MISSING, *[package for name, package in named if name not in LEFT_OUT]], check=True)


if sys.argv[1] == "--install":
    install(sys.argv[2])
    sys.exit()

SERVER = sys.argv[1]
KEY, SECRET, CHECKING_KEY = (os.environ[name] for name in ["SELFHOOD_KEY", "SIGNING_SECRET", "CHECKING_KEY"])
# As an administrator writes it into the connection, so that tasks are called tasks.
TASK_HEADER = {"X-OpenWebUI-Task": "{{TASK}}"}


def ask(method, url, body=None, token=None, headers=None):
    request = urllib.request.Request(url, method=method, data=json.dumps(body).encode() if body is not None else None)
    request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            text = answer.read().decode()
            return json.loads(text) if "json" in answer.headers["content-type"] else text
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {url}: {error.code} {error.read().decode()[:500]}") from error


class OpenWebUi:
    """The program, on a port of its own, with its data in a folder that goes away."""

    def __init__(self, folder, headers, ready_within=180):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        environment = {
            **os.environ,
            "DATA_DIR": folder,
            "WEBUI_SECRET_KEY": "for sessions only",
            "OFFLINE_MODE": "true",
            "HF_HUB_OFFLINE": "1",
            # Without the programs for documents, sound and pictures, which no talk needs.
            "USE_SLIM_DOCKER": "true",
            "ENABLE_OLLAMA_API": "false",
            "OPENAI_API_BASE_URL": f"{SERVER}/v1",
            "OPENAI_API_KEY": KEY,
            "OPENAI_API_CONFIGS": json.dumps({"0": {"headers": headers}}),
            "ENABLE_FORWARD_USER_INFO_HEADERS": "true",
            "FORWARD_USER_INFO_HEADER_JWT_SECRET": SECRET,
        }
        program = os.path.join(os.path.dirname(sys.executable), "open-webui")
        self.log = open(f"{folder}/log.txt", "w")
        command = [program, "serve", "--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(command, env=environment, stdout=self.log, stderr=self.log)
        until = time.monotonic() + ready_within
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() > until:
                sys.exit("Open WebUI did not start:\n" + open(f"{folder}/log.txt").read()[-2000:])
            time.sleep(0.5)

    def is_ready(self):
        try:
            return bool(ask("GET", f"{self.url}/api/config"))
        except (OSError, AssertionError):
            return False

    def end(self):
        self.process.terminate()
        self.process.wait()


def talk(webui, token, words, stream, ready_within=60):
    """The answer to the first message of a new chat, as the chat has it afterwards."""
    asked, answered = str(uuid.uuid4()), str(uuid.uuid4())
    body = {
        "model": "nora",
        "messages": [{"role": "user", "content": words}],
        "user_message": {"id": asked, "parentId": None, "childrenIds": [], "role": "user", "content": words},
        "parent_id": None,
        "message_ids": [{"model_id": "nora", "message_id": answered}],
        "stream": stream,
    }
    answer = ask("POST", f"{webui.url}/api/chat/completions", body, token)
    if not stream:
        return answer["choices"][0]["message"]["content"]
    until = time.monotonic() + ready_within
    while time.monotonic() < until:
        message = newest_chat(webui, token)["history"]["messages"][answered]
        assert not message.get("error"), message
        if message["content"] and message.get("done"):
            return message["content"]
        time.sleep(0.2)
    raise AssertionError(f"the streamed answer did not become whole: {message}")


def newest_chat(webui, token):
    newest = ask("GET", f"{webui.url}/api/v1/chats/", token=token)[0]
    return ask("GET", f"{webui.url}/api/v1/chats/{newest['id']}", token=token)["chat"]


def of_selfhood(path):
    return ask("GET", f"{SERVER}{path}", token=CHECKING_KEY)


def memories_of(subject):
    listed = of_selfhood(f"/v1/personas/nora/memories?subject={subject}&limit=100")["data"]
    return " ".join(memory["gist"] for memory in listed)


def turns_of(subject):
    sessions = of_selfhood(f"/personas/prompt/sessions?personaId=nora&subject={subject}")["sessions"]
    whole = [of_selfhood(f"/v1/personas/nora/sessions/{session['id']}?subject={subject}") for session in sessions]
    return json.dumps(whole, ensure_ascii=False)


def check(webui):
    new = {"name": "Ana", "email": "ana@example.org", "password": "a long password"}
    ana = ask("POST", f"{webui.url}/api/v1/auths/signup", new)
    new = {"name": "Ben", "email": "ben@example.org", "password": "a long password", "role": "admin"}
    ben = ask("POST", f"{webui.url}/api/v1/auths/add", new, ana["token"])

    models = ask("GET", f"{webui.url}/api/models", token=ana["token"])["data"]
    assert "nora" in [model["id"] for model in models], models

    told = "Please remember that I would like a room far from the lift."
    answer = talk(webui, ana["token"], told, stream=True)
    assert answer, "the streamed answer is empty"
    tasks = {"model": "nora", "chat_id": newest_chat(webui, ana["token"])["id"]}
    tasks["messages"] = [{"role": "user", "content": told}, {"role": "assistant", "content": answer}]
    for task in ["title", "tags", "follow_up"]:
        ask("POST", f"{webui.url}/api/v1/tasks/{task}/completions", tasks, ana["token"])
    asked = "Which room would I like?"
    answer = talk(webui, ana["token"], asked, stream=False)
    assert "lift" in answer, f"Ana is told: {answer}"
    answer = talk(webui, ben["token"], asked, stream=False)
    assert "lift" not in answer, f"Ben is told: {answer}"

    assert "lift" in memories_of(ana["id"]), "what Ana wanted remembered is not hers"
    assert "lift" not in memories_of(ben["id"])
    said = turns_of(ana["id"])
    assert told in said and asked in said, said
    assert "### Task" not in said and "### Task" not in memories_of(ana["id"]), f"a task was recorded: {said}"
    subjects = {person["subject"] for person in of_selfhood("/v1/subjects")["data"]}
    assert {ana["id"], ben["id"]} <= subjects, subjects


for headers in [TASK_HEADER, {}]:
    with tempfile.TemporaryDirectory() as folder:
        webui = OpenWebUi(folder, headers)
        try:
            check(webui)
        finally:
            webui.end()
print("open-webui: two people, streamed and whole, titles, tags and follow-ups, with and without their header: passed")
