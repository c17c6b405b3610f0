"""A pack service of the least that the protocol asks for. Its one tool, "version", returns what version.txt beside the index holds."""

import json
import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

flags = dict(zip(sys.argv[1::2], sys.argv[2::2]))
index = Path(flags["--index"])
if os.environ["KINDGI_PACK_INDEX"] != flags["--index"]:
    sys.exit("the index of the flags isn't that of the environment")
token = os.environ.pop("KINDGI_PACK_SERVICE_TOKEN")
version = (index.parent / "version.txt").read_text()
if version == "broken":
    print(json.dumps({"kind": "boot-failed", "problems": ["the version is broken"]}), file=sys.stderr)
    sys.exit(1)


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(200, {"status": "ready"})

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        if self.headers["kindgi-pack-token"] != token:
            return self.answer(401, {"error": "wrong kindgi-pack-token"})
        self.answer(200, {"v": 2, "kind": "result", "output": {"version": version, "pid": os.getpid()}})

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer((flags["--host"], int(os.environ["PORT"])), Handler)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
print("starting", flush=True)
if os.environ.get("SAYS_LISTENING"):
    print(json.dumps({"kind": "listening", "port": server.server_port}), file=sys.stderr, flush=True)
server.serve_forever()
