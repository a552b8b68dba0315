"""The synchronous and asynchronous clients against a running server."""

import asyncio
import json

import httpx
import pytest
from conftest import FORWARDED_KEY, OWNER_KEY, PERSONA, URL

from selfhood import (
    AsyncSelfhood,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    RateLimitError,
    Selfhood,
    SelfhoodError,
    UnreachableError,
)

FACT = {"kind": "semantic", "salience": 0.7, "privacyClass": "guest-pii", "consentBasis": "service-delivery"}


def test_a_memory_is_created_found_corrected_and_forgotten(guest):
    inara = guest.persona(PERSONA)
    memory = inara.remember(gist="The guest keeps a tortoise named Admiral.", subject=guest.subject, **FACT)
    assert memory["currentSalience"] == pytest.approx(0.7)
    came_back = inara.recall("What pet do I have?")
    assert memory["id"] in [one["id"] for one in came_back["memories"]]
    assert "Admiral" in came_back["rendered"]
    guest.report_used(came_back["recallId"], ids=[memory["id"]])
    assert guest.inspect_memory(PERSONA, memory["id"])["memory"]["rehearsalCount"] == 1
    corrected = guest.correct_memory(PERSONA, memory["id"], gist="The guest keeps a tortoise named Commodore.")[
        "memory"
    ]
    assert corrected["revises"] == memory["id"]
    inara.forget(corrected["id"])
    assert [one["id"] for one in inara.memories(subject=guest.subject)] == []


def test_pages_are_followed_to_the_end(guest):
    inara = guest.persona(PERSONA)
    for number in range(5):
        inara.remember(gist=f"The guest wrote postcard number {number}.", subject=guest.subject, **FACT)
    found = [memory["gist"] for memory in inara.memories(subject=guest.subject, limit=2)]
    assert len(found) == len(set(found)) == 5


def test_one_guest_does_not_see_anothers_memories(guest):
    guest.remember(PERSONA, gist="The guest is planning a surprise.", subject=guest.subject, **FACT)
    other = guest.speaking_for("somebody-else")
    assert list(other.persona(PERSONA).memories()) == []
    assert "surprise" not in other.recall(PERSONA, cue="a surprise")["rendered"]


def test_talk_streams_words_and_ends_in_a_reply(guest):
    with guest.stream(PERSONA, "I keep a tortoise named Admiral.") as stream:
        words = list(stream)
    assert "".join(words).strip() == stream.reply.text.strip()
    assert stream.reply.recall_id and stream.reply.exchange_id
    assert any("Admiral" in memory["gist"] for memory in stream.reply.remembered), stream.reply
    again = guest.say(PERSONA, "What is my tortoise called?", session_id=stream.reply.session_id)
    assert "Admiral" in again.text and again.session_id == stream.reply.session_id
    why = guest.explain_recall(again.recall_id)
    assert why["recallId"] == again.recall_id


def test_talk_off_the_record_leaves_nothing(owner):
    reply = owner.say(PERSONA, "I keep a newt named Bosun.", off_record=True)
    assert (reply.recall_id, reply.exchange_id, reply.remembered) == (None, None, [])
    assert list(owner.persona(PERSONA).memories(q="Bosun newt", subject="owner", tag="newt")) == []


def test_files_are_written_over_what_was_seen(owner):
    before = owner.read_file("USER.md", persona=PERSONA)["file"]
    with pytest.raises(ConflictError):
        owner.write_file("USER.md", {"content": "x"}, persona=PERSONA, if_match='"stale"')
    after = owner.write_file(
        "USER.md", {"content": before["content"] + "\nPrefers tea."}, persona=PERSONA, if_match=before["etag"]
    )
    assert after["file"]["etag"] != before["etag"]


def test_errors_have_their_class_their_code_and_the_way_out(owner):
    with pytest.raises(NotFoundError) as missing:
        owner.show_persona("nobody")
    assert (missing.value.code, missing.value.status) == ("persona_not_found", 404)
    assert missing.value.request_id
    with pytest.raises(InvalidRequestError) as invalid:
        owner.remember(PERSONA, gist="", **FACT)
    assert invalid.value.errors[0]["pointer"] == "/gist"
    with pytest.raises(AuthenticationError):
        Selfhood(URL, "sh_no").list_personas()
    with pytest.raises(InvalidRequestError):
        owner.say(PERSONA, " ")
    with pytest.raises(AuthenticationError):
        owner.speaking_for("ana").list_memories(PERSONA)


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(UnreachableError, match="selfhood serve"):
        Selfhood("http://127.0.0.1:1", OWNER_KEY).list_personas()


def test_a_repeated_request_does_nothing_twice(guest):
    memory = {"gist": "The guest arrives by train.", "subject": guest.subject, **FACT}
    first = guest.remember(PERSONA, idempotency_key=f"{guest.subject}-1", **memory)
    again = guest.remember(PERSONA, idempotency_key=f"{guest.subject}-1", **memory)
    assert first["memory"]["id"] == again["memory"]["id"]


def busy(times):
    """A transport that is busy `times` times and then answers; it notes the keys it saw."""
    keys = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers.get("idempotency-key"))
        if len(keys) <= times:
            return httpx.Response(429, headers={"retry-after": "0"}, json={"detail": "busy", "code": "rate_limited"})
        return httpx.Response(200, json={"memory": {"id": "mem:1"}})

    return httpx.MockTransport(answer), keys


def test_a_busy_server_is_asked_again_under_the_same_key():
    transport, keys = busy(2)
    Selfhood(URL, "k", transport=transport).remember(PERSONA, gist="x", **FACT)
    assert len(keys) == 3 and len(set(keys)) == 1 and keys[0]
    transport, keys = busy(3)
    with pytest.raises(RateLimitError):
        Selfhood(URL, "k", transport=transport).remember(PERSONA, gist="x", **FACT)
    transport, keys = busy(1)
    with pytest.raises(RateLimitError):
        Selfhood(URL, "k", transport=transport).correct_memory(PERSONA, "mem:1", gist="x")
    assert len(keys) == 1, "a change without a key is not repeated"


def test_an_answer_that_breaks_off_is_no_reply():
    events = 'event: start\ndata: {"session_id": "s"}\n\nevent: token\ndata: {"text": "Hel"}\n\n'
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text=events))
    stream = Selfhood(URL, "k", transport=transport).stream(PERSONA, "hello")
    with pytest.raises(UnreachableError):
        list(stream)
    with pytest.raises(SelfhoodError):
        _ = stream.reply


def test_an_error_in_the_middle_of_an_answer_is_raised():
    failure = {"error": "the model failed", "code": "model_failed", "status": 502}
    transport = httpx.MockTransport(
        lambda _: httpx.Response(200, text=f"event: error\ndata: {json.dumps(failure)}\n\n")
    )
    with pytest.raises(SelfhoodError) as failed:
        Selfhood(URL, "k", transport=transport).say(PERSONA, "hello")
    assert failed.value.code == "model_failed"


def test_the_asynchronous_client_does_the_same():
    async def tried():
        async with AsyncSelfhood(URL, FORWARDED_KEY, subject="async-guest") as client:
            inara = client.persona(PERSONA)
            memory = await inara.remember(gist="The guest sails on Sundays.", subject="async-guest", **FACT)
            assert memory["id"] in [one["id"] for one in (await inara.recall("sailing"))["memories"]]
            async with await inara.stream("When do I sail?") as stream:
                words = [word async for word in stream]
            assert "".join(words).strip() == stream.reply.text.strip()
            assert "Sundays" in stream.reply.text
            assert [one["id"] async for one in inara.memories(limit=1, q="sails")][0] == memory["id"]
            await inara.forget(memory["id"])
            with pytest.raises(NotFoundError):
                await client.show_persona("nobody")
            many = await asyncio.gather(*(inara.recall(f"question {number}") for number in range(8)))
            assert len({one["recallId"] for one in many}) == 8

    asyncio.run(tried())
