"""Drives a running server with other people's Python programs. Arguments: the server.

LangChain and pydantic-ai (completions and responses), litellm and the command `llm`, each used as its own manual
says.
"""

import os
import subprocess
import sys
import tempfile

server = sys.argv[1]
KEY = os.environ["SELFHOOD_KEY"]
BASE = f"{server}/v1"
ANSWER = "Good evening from upstream."


def langchain():
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    @tool
    def weather(city: str) -> str:
        """The weather in a city."""
        return "sunny."

    for by_responses in [False, True]:
        model = ChatOpenAI(model="inara", base_url=BASE, api_key=KEY, use_responses_api=by_responses)
        assert model.invoke("Good evening, LangChain!").text == ANSWER
        text = "".join(chunk.text for chunk in model.stream("Good evening, LangChain, in pieces!"))
        assert text == ANSWER, text
        messages = [("user", f"Use a tool, LangChain, {by_responses}: how is the weather?")]
        called = model.bind_tools([weather]).invoke(messages)
        assert called.tool_calls[0]["args"] == {"city": "Cluj"}, called
        messages += [called, weather.invoke(called.tool_calls[0])]
        told = model.bind_tools([weather]).invoke(messages)
        assert told.text == "The tool said sunny.", told


def litellm():
    import litellm

    asked = {"model": "openai/inara", "api_base": BASE, "api_key": KEY}
    messages = [{"role": "user", "content": "Good evening, litellm!"}]
    answer = litellm.completion(messages=messages, **asked)
    assert answer.choices[0].message.content == ANSWER, answer
    pieces = litellm.completion(messages=messages, stream=True, **asked)
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == ANSWER
    answer = litellm.responses(input="Good evening, litellm, by responses!", **asked)
    assert answer.output[0].content[0].text == ANSWER, answer


def llm():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/extra-openai-models.yaml", "w") as models:
            models.write(f"- model_id: inara\n  model_name: inara\n  api_base: {BASE}\n  api_key_name: selfhood\n")
        environment = {**os.environ, "LLM_USER_PATH": folder}
        command = [os.path.join(os.path.dirname(sys.executable), "llm")]
        subprocess.run([*command, "keys", "set", "selfhood", "--value", KEY], env=environment, check=True)
        asked = [*command, "-m", "inara", "Good evening, llm!"]
        said = subprocess.run(asked, env=environment, check=True, capture_output=True, text=True).stdout
        assert said.strip() == ANSWER, said
        asked = [*command, "-c", "And then?"]
        said = subprocess.run(asked, env=environment, check=True, capture_output=True, text=True).stdout
        assert said.strip() == ANSWER, said


def pydantic_ai():
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=BASE, api_key=KEY)
    for kind in [OpenAIChatModel, OpenAIResponsesModel]:
        agent = Agent(kind("inara", provider=provider))
        first = agent.run_sync(f"Good evening, pydantic-ai, by {kind.__name__}!")
        assert first.output == ANSWER, first
        told = agent.run_sync("And then?", message_history=first.all_messages())
        assert told.output == ANSWER, told
        streamed = agent.run_stream_sync(f"In pieces, pydantic-ai, by {kind.__name__}!")
        assert list(streamed.stream_text(delta=True)) and streamed.get_output() == ANSWER, streamed

        @agent.tool_plain
        def weather(city: str) -> str:
            """The weather in a city."""
            return f"sun in {city}."

        told = agent.run_sync(f"Use a tool, pydantic-ai, by {kind.__name__}: how is the weather?")
        assert told.output == "The tool said sun in Cluj.", told


CHECKS = [langchain, litellm, llm, pydantic_ai]
for check in CHECKS:
    try:
        check()
    except Exception as failed:
        print(f"others: {check.__name__}: {type(failed).__name__}: {failed}")
        raise
print(f"others: {', '.join(check.__name__ for check in CHECKS)}: {len(CHECKS)} passed")
