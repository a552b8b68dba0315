"""Hermes Agent's own loader finds the provider, and the provider does what its lifecycle asks."""

import json
import uuid

import pytest
from conftest import FORWARDED_KEY, OWNER_KEY, PERSONA, URL

from selfhood import Selfhood, hermes
from selfhood.hermes import SelfhoodMemoryProvider, install


@pytest.fixture
def user():
    return f"user-{uuid.uuid4().hex[:8]}"


@pytest.fixture(autouse=True)
def configured(monkeypatch):
    monkeypatch.setenv("SELFHOOD_URL", URL)
    monkeypatch.setenv("SELFHOOD_API_KEY", FORWARDED_KEY)
    monkeypatch.setenv("SELFHOOD_PERSONA", PERSONA)
    # What is tried is what comes back, not how soon on a busy machine.
    monkeypatch.setattr(hermes, "TIMEOUT", 30.0)


@pytest.fixture
def provider(user):
    provider = SelfhoodMemoryProvider()
    # As in Hermes, a session is one user's: nobody else may continue it.
    provider.initialize(f"session-{user}", user_id=user, hermes_home="unused", platform="cli")
    yield provider
    provider.shutdown()


def used(provider, name, **args):
    return json.loads(provider.handle_tool_call(name, args))


def test_hermes_finds_the_installed_plugin(tmp_path, monkeypatch):
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    install(tmp_path)
    from plugins.memory import load_memory_provider

    found = load_memory_provider("selfhood")
    assert found is not None and found.name == "selfhood" and found.is_available()
    monkeypatch.delenv("SELFHOOD_API_KEY")
    assert not found.is_available()


def test_what_is_remembered_comes_back_before_the_next_turn(provider, user):
    kept = used(provider, "selfhood_remember", fact="The user keeps bees on the roof.")
    text = provider.prefetch("How are my bees?")
    assert "bees on the roof" in text
    provider.sync_turn("How are my bees?", "You keep bees on the roof, and I hope that they are well.")
    provider.shutdown()
    with Selfhood(URL, FORWARDED_KEY, subject=user) as client:
        assert client.inspect_memory(PERSONA, kept["id"])["memory"]["rehearsalCount"] == 1


def test_a_turn_is_on_the_record_and_forms_memories(provider, user):
    provider.sync_turn("I keep a tortoise named Admiral.", "A fine name for a tortoise.", session_id=f"talk-{user}")
    provider.sync_turn("He likes dandelions.", "", session_id=f"talk-{user}")
    provider.shutdown()
    with Selfhood(URL, FORWARDED_KEY, subject=user) as client:
        assert any("Admiral" in one["gist"] for one in client.list_memories(PERSONA)["data"])
        session = client.show_session(PERSONA, f"talk-{user}", subject=user)
    said = [turn["text"] for turn in session["turns"]]
    assert said == ["I keep a tortoise named Admiral.", "A fine name for a tortoise."], "a turn without an answer is none"


def test_the_owners_turns_form_memories_of_the_owner(monkeypatch):
    monkeypatch.setenv("SELFHOOD_API_KEY", OWNER_KEY)
    provider = SelfhoodMemoryProvider()
    provider.initialize(f"session-{uuid.uuid4().hex[:8]}")
    provider.sync_turn("I keep a newt named Bosun.", "Bosun is a good name for a newt.")
    provider.shutdown()
    with Selfhood(URL, OWNER_KEY) as client:
        assert any("Bosun" in one["gist"] for one in client.list_memories(PERSONA, q="newt Bosun")["data"])


def test_the_plugin_asks_for_no_package_by_name(tmp_path):
    manifest = (install(tmp_path) / "plugin.yaml").read_text()
    assert "dependencies" not in manifest, "anybody may publish a package under a name that is free"


def test_tools_recall_and_forget(provider):
    kept = used(provider, "selfhood_remember", fact="The user dislikes coriander.")
    assert kept["id"] in [one["id"] for one in used(provider, "selfhood_recall", cue="coriander")["memories"]]
    assert used(provider, "selfhood_forget", id=kept["id"]) == {"forgotten": kept["id"]}
    assert used(provider, "selfhood_recall", cue="coriander")["memories"] == []
    assert used(provider, "selfhood_forget", id=kept["id"])["code"]
    assert {schema["name"] for schema in provider.get_tool_schemas()} == {
        "selfhood_recall",
        "selfhood_remember",
        "selfhood_forget",
    }


def test_only_a_conversation_writes_memories(user):
    provider = SelfhoodMemoryProvider()
    provider.initialize("session-2", user_id=user, agent_context="cron")
    provider.on_memory_write("add", "user", "Runs every morning.")
    provider.sync_turn("I keep a tortoise named Admiral.", "A fine name for a tortoise.")
    provider.shutdown()
    with Selfhood(URL, FORWARDED_KEY, subject=user) as client:
        assert client.list_memories(PERSONA)["data"] == []


def test_what_the_agent_notes_of_its_user_is_kept(provider, user):
    provider.on_memory_write("add", "user", "Runs every morning.")
    provider.on_memory_write("add", "memory", "The build takes long.")
    provider.shutdown()
    with Selfhood(URL, FORWARDED_KEY, subject=user) as client:
        assert [one["gist"] for one in client.list_memories(PERSONA)["data"]] == ["Runs every morning."]


def test_without_a_server_the_agent_goes_on(monkeypatch, user):
    monkeypatch.setenv("SELFHOOD_URL", "http://127.0.0.1:1")
    provider = SelfhoodMemoryProvider()
    provider.initialize("session-3", user_id=user)
    assert provider.prefetch("Anything?") == ""
    assert used(provider, "selfhood_recall", cue="anything")["code"] == "unreachable"
    provider.shutdown()
