"""Makes a language model of random weights, so small that it answers at once: `tiny.py FILE`."""

import sys

import gguf
import numpy

LETTERS = ["▁", *"aeiounrstldmhc", "▁the", "▁and", "▁I", "▁you", "▁remember", "▁yes", "▁no", "▁it", "▁sea", "▁tea", "."]
WIDTH, INNER, HEADS, LAYERS, WINDOW = 64, 128, 2, 2, 16384

tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)] + LETTERS
kinds = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * 2 + [gguf.TokenType.BYTE] * 256
kinds += [gguf.TokenType.NORMAL] * len(LETTERS)
chance = numpy.random.default_rng(7)


def weights(*shape):
    return (chance.standard_normal(shape) * 0.05).astype(numpy.float32)


def ones():
    return numpy.ones(WIDTH, numpy.float32)


out = gguf.GGUFWriter(sys.argv[1], "llama")
out.add_name("tiny")
out.add_vocab_size(len(tokens))
out.add_context_length(WINDOW)
out.add_embedding_length(WIDTH)
out.add_block_count(LAYERS)
out.add_feed_forward_length(INNER)
out.add_head_count(HEADS)
out.add_head_count_kv(HEADS)
out.add_layer_norm_rms_eps(1e-5)
out.add_rope_dimension_count(WIDTH // HEADS)
out.add_tokenizer_model("llama")
out.add_token_list([token.encode() for token in tokens])
out.add_token_scores([-float(place) for place in range(len(tokens))])
out.add_token_types([int(kind) for kind in kinds])
out.add_bos_token_id(1)
out.add_eos_token_id(2)
out.add_unk_token_id(0)
out.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")
out.add_tensor("token_embd.weight", weights(len(tokens), WIDTH))
out.add_tensor("output_norm.weight", ones())
# Only whole letters and words are ever said: nothing speaks for the rest.
said = weights(len(tokens), WIDTH)
said[: -len(LETTERS)] = 0.0
out.add_tensor("output.weight", said)
for layer in range(LAYERS):
    for norm in ("attn_norm", "ffn_norm"):
        out.add_tensor(f"blk.{layer}.{norm}.weight", ones())
    for square in ("attn_q", "attn_k", "attn_v", "attn_output"):
        out.add_tensor(f"blk.{layer}.{square}.weight", weights(WIDTH, WIDTH))
    for wide in ("ffn_gate", "ffn_up"):
        out.add_tensor(f"blk.{layer}.{wide}.weight", weights(INNER, WIDTH))
    out.add_tensor(f"blk.{layer}.ffn_down.weight", weights(WIDTH, INNER))
out.write_header_to_file()
out.write_kv_data_to_file()
out.write_tensors_to_file()
out.close()
