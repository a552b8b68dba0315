"""Adds an API key to requests, for a test suite that can't send one. Prints its port."""

import http.client
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SERVER = sys.argv[1]
KEY = os.environ["SELFHOOD_KEY"]


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def forward(self):
        own = {f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")}
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {"authorization": f"Bearer {KEY}"}
        for name, value in self.headers.items():
            if name.lower() == "host" and value in own:
                value = SERVER
            if name.lower() == "origin" and value.removeprefix("http://") in own:
                value = f"http://{SERVER}"
            if name.lower() not in ("connection", "content-length"):
                headers[name] = value
        upstream = http.client.HTTPConnection(SERVER, timeout=60)
        upstream.request(self.command, self.path, body, headers)
        answer = upstream.getresponse()
        is_stream = answer.headers.get_content_type() == "text/event-stream"
        content = None if is_stream else answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        if is_stream:
            self.send_header("connection", "close")
            self.end_headers()
            self.stream(answer)
            return
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def stream(self, answer):
        self.close_connection = True
        try:
            while piece := answer.read1():
                self.wfile.write(piece)
                self.wfile.flush()
        except OSError:
            pass  # The client has left.

    do_GET = do_POST = do_DELETE = forward

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
print(server.server_port, flush=True)
server.serve_forever()
