"""Drives a running server with OpenAI's own Python SDK. Arguments: the server, the model's server.

Ends with status 1 and the line that failed when something is not as the SDK expects it.
"""

import base64
import json
import os
import struct
import sys
import time
import urllib.request

import openai

server, upstream = sys.argv[1:3]
KEY = os.environ["SELFHOOD_KEY"]
client = openai.OpenAI(base_url=f"{server}/v1", api_key=KEY, max_retries=0)
HELLO = [{"role": "user", "content": "Good evening!"}]
TOOLS = [{
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}]


def seen():
    with urllib.request.urlopen(f"{upstream}/seen") as answer:
        return json.load(answer)


def wait_until(holds, what):
    for _ in range(200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError(what)


def models():
    names = [model.id for model in client.models.list()]
    assert names == ["inara"], names
    for name in ["inara", "default/inara", "inara:private", "inara@3"]:
        assert client.models.retrieve(name).id == name


def whole():
    raw = client.chat.completions.with_raw_response.create(model="inara", messages=HELLO)
    answer = raw.parse()
    assert answer.choices[0].message.content == "Good evening from upstream.", answer
    assert answer.choices[0].finish_reason == "stop" and answer.object == "chat.completion", answer
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (11, 5, 16)
    recall = raw.headers["x-recall-id"]
    request = urllib.request.Request(f"{server}/v1/recalls/{recall}", headers={"x-api-key": KEY})
    with urllib.request.urlopen(request) as why:
        assert json.load(why)["recallId"] == recall


def pieces():
    stream = client.chat.completions.create(
        model="inara", messages=HELLO, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    spoken = [chunk for chunk in chunks if chunk.choices]
    assert spoken[0].choices[0].delta.role == "assistant" and spoken[0].choices[0].delta.content == ""
    assert len({(chunk.id, chunk.created, chunk.model) for chunk in chunks}) == 1
    assert [chunk.choices[0].finish_reason for chunk in spoken[:-1]] == [None] * (len(spoken) - 1)
    assert spoken[-1].choices[0].finish_reason == "stop"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in spoken)
    assert text == "Good evening from upstream.", text
    assert chunks[-1].choices == [] and chunks[-1].usage.total_tokens == 16, chunks[-1]


def tools():
    asked = [{"role": "user", "content": "Use a tool: how is the weather?"}]
    message = client.chat.completions.create(model="inara", messages=asked, tools=TOOLS).choices[0]
    assert message.finish_reason == "tool_calls", message
    call = message.message.tool_calls[0]
    assert (call.function.name, json.loads(call.function.arguments)) == ("weather", {"city": "Cluj"}), call
    assert seen()["last"]["tools"][0]["function"]["name"] == "weather", "the client's tools take the place of ours"
    assert len(seen()["last"]["tools"]) == 1
    asked += [message.message, {"role": "tool", "tool_call_id": call.id, "content": "sunny."}]
    told = client.chat.completions.create(model="inara", messages=asked, tools=TOOLS).choices[0]
    assert (told.message.content, told.finish_reason) == ("The tool said sunny.", "stop"), told


def tools_in_pieces():
    asked = [{"role": "user", "content": "Use a tool, in pieces: how is the weather?"}]
    with client.chat.completions.stream(model="inara", messages=asked, tools=TOOLS) as stream:
        stream.until_done()
        choice = stream.get_final_completion().choices[0]
    call = choice.message.tool_calls[0]
    assert (choice.finish_reason, call.function.name) == ("tool_calls", "weather"), choice
    assert json.loads(call.function.arguments) == {"city": "Cluj"}, call


def errors():
    for error, status, attempt in [
        (openai.NotFoundError, 404, lambda: client.chat.completions.create(model="nobody", messages=HELLO)),
        (openai.NotFoundError, 404, lambda: client.models.retrieve("nobody")),
        (openai.UnprocessableEntityError, 422, lambda: client.chat.completions.create(model="inara", messages=[])),
        (openai.AuthenticationError, 401, lambda: client.with_options(api_key="sh_no").models.list()),
    ]:
        try:
            attempt()
        except error as refused:
            assert refused.status_code == status and refused.code and refused.type, vars(refused)
        else:
            raise AssertionError(f"no {error.__name__}")


def abort():
    before = seen()["left"]
    stream = client.chat.completions.create(
        model="inara",
        messages=[{"role": "user", "content": "Count slowly."}],
        stream=True,
        extra_headers={"x-conversation-id": "aborted-by-python"},
    )
    for count, _ in enumerate(stream):
        if count == 5:
            break
    stream.close()
    wait_until(lambda: seen()["left"] == before + 1, "the upstream was not stopped")


def embeddings():
    texts = ["coffee in the lobby", "a swim at nine"]
    numbers = client.embeddings.create(model="any", input=texts, encoding_format="float")
    encoded = client.embeddings.create(model="any", input=texts, encoding_format="base64")
    plain = client.embeddings.create(model="any", input=texts)
    assert [one.index for one in numbers.data] == [0, 1]
    for one, other, usual in zip(numbers.data, encoded.data, plain.data):
        raw = base64.b64decode(other.embedding)
        decoded = struct.unpack(f"<{len(raw) // 4}f", raw)
        assert len(decoded) == len(one.embedding) == len(usual.embedding)
        assert all(abs(a - b) < 1e-6 for a, b in zip(decoded, one.embedding))


FUNCTIONS = [{"type": "function", **TOOLS[0]["function"]}]


def responses():
    raw = client.responses.with_raw_response.create(model="inara", input="Good evening, again!")
    first = raw.parse()
    assert first.output_text == "Good evening from upstream." and first.status == "completed", first
    assert (first.usage.input_tokens, first.usage.output_tokens, first.usage.total_tokens) == (11, 5, 16), first.usage
    following = client.responses.create(model="inara", input="And then?", previous_response_id=first.id)
    assert following.previous_response_id == first.id, following
    said = [message["content"] for message in seen()["last"]["messages"]]
    assert "Good evening, again!" in said and said[-1] == "And then?", "the record is continued"


def responses_in_events():
    with client.responses.stream(model="inara", input="Good evening, in events!") as stream:
        events = list(stream)
        final = stream.get_final_response()
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text == final.output_text == "Good evening from upstream.", (text, final)
    assert events[0].type == "response.created" and events[-1].type == "response.completed", events


def responses_with_tools():
    asked = "Use a tool, by responses: how is the weather?"
    first = client.responses.create(model="inara", input=asked, tools=FUNCTIONS)
    call = first.output[0]
    assert (call.type, call.name, json.loads(call.arguments)) == ("function_call", "weather", {"city": "Cluj"}), call
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny."}
    by_name = client.responses.create(
        model="inara", input=[result], tools=FUNCTIONS, previous_response_id=first.id
    )
    assert by_name.output_text == "The tool said sunny.", by_name
    whole = [{"role": "user", "content": asked}, *first.output, result]
    by_history = client.responses.create(model="inara", input=whole, tools=FUNCTIONS)
    assert by_history.output_text == "The tool said sunny.", by_history
    with client.responses.stream(model="inara", input=f"{asked} Please.", tools=FUNCTIONS) as stream:
        stream.until_done()
        call = stream.get_final_response().output[0]
    assert json.loads(call.arguments) == {"city": "Cluj"}, call


def responses_not_stored():
    raw = client.responses.with_raw_response.create(model="inara", input="A secret.", store=False)
    assert "x-recall-id" not in raw.headers and raw.parse().store is False, raw.headers
    try:
        client.responses.create(model="inara", input="And?", previous_response_id=raw.parse().id)
    except openai.NotFoundError as refused:
        assert refused.param == "previous_response_id", vars(refused)
    else:
        raise AssertionError("what was not stored was continued")


def private_and_tier():
    raw = client.chat.completions.with_raw_response.create(model="inara:private", messages=HELLO)
    assert "x-recall-id" not in raw.headers, raw.headers
    system = seen()["last"]["messages"][0]
    assert "Off The Record" in system["content"], system["content"][:400]
    client.chat.completions.create(model="inara@1", messages=HELLO)
    short = len(seen()["last"]["messages"][0]["content"])
    client.chat.completions.create(model="inara", messages=HELLO, extra_headers={"x-context-tier": "4"})
    assert short < len(seen()["last"]["messages"][0]["content"]), "tier 1 loads less than tier 4"


CHECKS = [
    models, whole, pieces, tools, tools_in_pieces, errors, abort, embeddings, private_and_tier,
    responses, responses_in_events, responses_with_tools, responses_not_stored,
]
for check in CHECKS:
    try:
        check()
    except Exception as failed:
        line = failed.__traceback__.tb_next
        print(f"python: {check.__name__}, line {line.tb_lineno if line else '?'}: {type(failed).__name__}: {failed}")
        sys.exit(1)
print(f"python: openai {openai.__version__}, {len(CHECKS)} checks passed")
