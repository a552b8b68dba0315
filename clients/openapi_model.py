"""What both generators read of an OpenAPI document: its operations and its types."""

from dataclasses import dataclass, field

# Written by hand in each client, because they answer with a stream or are for the web page only.
HAND_WRITTEN = {"chat", "stream_prompt", "follow_events", "sign_in", "complete_chat", "create_response"}
# Talk may be off the record, and there an `Idempotency-Key` is refused.
TALK = {"prompt_persona"}
# These parameters of a path may hold slashes.
WHOLE_PATHS = {"name", "model"}


@dataclass
class Operation:
    """One verb."""

    name: str
    method: str
    path: str
    summary: str
    path_parameters: list
    query: list
    body: dict | None
    body_is_required: bool
    answer: dict | None
    sends_key: bool
    tags_files: bool
    #: A POST that only reads, and may be sent again at will.
    is_read: bool
    headers: set = field(default_factory=set)


def read_operations(document):
    """The operations that clients call, in the order of their names."""
    found = []
    for path, item in document["paths"].items():
        for method, described in item.items():
            name = described["operationId"]
            if name not in HAND_WRITTEN and described["tags"] != ["operations"]:
                found.append(read_operation(path, method, described))
    return sorted(found, key=lambda operation: operation.name)


def read_operation(path, method, described):
    parameters = described.get("parameters", [])
    headers = {parameter["name"] for parameter in parameters if parameter["in"] == "header"}
    name = described["operationId"]
    answers = [answer for status, answer in described["responses"].items() if status.startswith("2")]
    body = described.get("requestBody")
    return Operation(
        name=name,
        method=method.upper(),
        path=path,
        summary=described["summary"],
        path_parameters=[parameter["name"] for parameter in parameters if parameter["in"] == "path"],
        query=[parameter for parameter in parameters if parameter["in"] == "query"],
        body=json_schema(body) if body else None,
        body_is_required=bool(body and body.get("required")),
        answer=json_schema(answers[0]),
        sends_key="Idempotency-Key" in headers and name not in TALK,
        tags_files="If-Match" in headers,
        is_read=method == "post" and "Idempotency-Key" not in headers,
        headers=headers,
    )


def json_schema(holder):
    """The schema of what is sent or answered as JSON, if anything is."""
    return holder.get("content", {}).get("application/json", {}).get("schema")


def reference(schema):
    """The name a `$ref` leads to, if it is one."""
    target = schema.get("$ref")
    return target.rsplit("/", 1)[-1] if target else None


def resolve(schema, document):
    """The schema itself, where it is referred to."""
    while (name := reference(schema)) is not None:
        schema = document["components"]["schemas"][name]
    return schema


def is_record(schema):
    """Whether a schema is an object with named properties."""
    return isinstance(schema, dict) and schema.get("type") == "object" and bool(schema.get("properties"))


def branches(schema):
    """The alternatives of a union, if it is one."""
    return schema.get("anyOf") or schema.get("oneOf")
