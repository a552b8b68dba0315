"""Serves a model with llama.cpp's own server until stdin ends, and says where: `serve.py FILE`."""

import os
import sys

import xllamacpp

asked = xllamacpp.CommonParams()
asked.model.path = sys.argv[1]
asked.n_ctx = 16384
asked.n_parallel = 1
asked.cpuparams.n_threads = os.cpu_count() or 1
asked.warmup = False
server = xllamacpp.Server(asked)
print(server.listening_address, flush=True)
sys.stdin.read()
