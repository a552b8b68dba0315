"""A language model's server that speaks OpenAI's chat completions on the wire, and always says the same.

What it says depends on the last message: `tool` makes it call the first tool it is offered, the result of
a tool makes it repeat that result, `slowly` makes it count until the listener leaves, anything else makes
it greet. `GET /seen` tells how many listeners left early and what was asked last in talk.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

seen = {"left": 0, "requests": 0, "last": None}


def chunk(delta, finish=None, usage=None):
    choices = [] if usage else [{"index": 0, "delta": delta, "finish_reason": finish}]
    answer = {"id": "up-1", "object": "chat.completion.chunk", "created": 1, "model": "parrot", "choices": choices}
    return {**answer, "usage": usage} if usage else answer


def words(text):
    first, *rest = text.split(" ")
    return [chunk({"content": piece}) for piece in [first, *(f" {word}" for word in rest)]]


def called(tool):
    name, arguments = tool["function"]["name"], '{"city": "Cluj"}'
    first = {"index": 0, "id": "call_up_1", "type": "function", "function": {"name": name, "arguments": ""}}
    pieces = [arguments[:5], arguments[5:]]
    rest = [{"index": 0, "function": {"arguments": piece}} for piece in pieces]
    return [chunk({"tool_calls": [call]}) for call in [first, *rest]]


class Upstream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = json.dumps(seen).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        seen["requests"] += 1
        # What is asked afterwards to form memories does not stream.
        if request.get("stream"):
            seen["last"] = request
        last = request["messages"][-1]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        self.say(chunk({"role": "assistant", "content": ""}))
        try:
            if "slowly" in last["content"]:
                return self.count()
            self.answer(last, request.get("tools"))
        except (BrokenPipeError, ConnectionResetError):
            seen["left"] += 1

    def answer(self, last, tools):
        finish = "stop"
        if last["role"] == "tool":
            pieces = words(f"The tool said {last['content']}")
        elif tools and "tool" in last["content"]:
            pieces, finish = called(tools[0]), "tool_calls"
        else:
            pieces = words("Good evening from upstream.")
        for piece in [*pieces, chunk({}, finish)]:
            self.say(piece)
        self.say(chunk({}, usage={"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}))
        self.wfile.write(b"data: [DONE]\n\n")

    def count(self):
        for number in range(1, 1000):
            self.say(chunk({"content": f"{number} "}))
            time.sleep(0.05)

    def say(self, piece):
        self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
        self.wfile.flush()


server = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
print(server.server_address[1], flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    sys.exit(0)
