"""Talks to pincite with the official Python client, over stdio and HTTP, and checks what comes back.

    check.py PINCITE PROFILE TERM PATH

PROFILE names a repository with an index, TERM stands in it more than once, PATH is one of its files.
"""

import asyncio
import hashlib
import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

PINCITE, PROFILE, TERM, PATH = sys.argv[1:5]
TOOLS = ["source_context", "source_search", "source_read", "source_list", "project_query"]
CALLS = {
    "source_context": {"text": TERM},
    "source_search": {"text": TERM, "mode": "literal"},
    "source_read": {"path": PATH, "start_line": 1, "end_line": 5},
    "source_list": {},
}


def command(*arguments):
    """What a command prints, as JSON."""
    done = subprocess.run([PINCITE, *arguments, "--profile", PROFILE], check=True, capture_output=True)
    return json.loads(done.stdout)


def query(request):
    """The reply of `pincite query` to a request."""
    arguments = [PINCITE, "query", "--profile", PROFILE]
    done = subprocess.run(arguments, input=json.dumps(request).encode(), capture_output=True, check=True)
    return json.loads(done.stdout)


CONTRACT = command("contract", "--format", "json")


async def check_tools(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == TOOLS, list(tools)
    assert client.instructions and client.instructions.startswith("# project.query"), client.instructions
    for tool in tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        assert tool.title and tool.annotations.read_only_hint and tool.annotations.idempotent_hint, tool

    for name, arguments in CALLS.items():
        jsonschema.validate(arguments, tools[name].input_schema)
        kind = name.replace("_", ".")
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result
        jsonschema.validate(result.structured_content, tools[name].output_schema)
        jsonschema.validate(result.structured_content, CONTRACT["results"][kind])
        assert result.structured_content == query({"kind": kind, **arguments}), name
        assert result.content[0].text.startswith(result.structured_content["status"]), result.content
        one = await client.call_tool("project_query", {"kind": kind, **arguments})
        assert one.structured_content == result.structured_content

    bundle = {"queries": [{"kind": "source.list"}, {"kind": "source.read"}]}
    result = await client.call_tool("project_query", bundle)
    assert not result.is_error
    listed, failed = result.structured_content["results"]
    assert listed["kind"] == "source.list" and failed["error"]["field"] == "path", failed
    jsonschema.validate(result.structured_content, tools["project_query"].output_schema)


async def check_errors(client):
    for name, arguments, code, field in [
        ("source_context", {"text": TERM, "commit": "HEAD"}, "invalid_request", "commit"),
        ("source_context", {"text": TERM, "kind": "source.context"}, "invalid_request", "kind"),
        ("source_read", {"path": "../x", "start_line": 1, "end_line": 1}, "unsafe_path", "path"),
        ("source_read", {"path": "no/such", "start_line": 1, "end_line": 1}, "not_found", "path"),
        ("source_search", {}, "invalid_request", "text"),
    ]:
        result = await client.call_tool(name, arguments)
        assert result.is_error, (name, arguments)
        error = json.loads(result.content[0].text)
        assert (error["error"]["code"], error["error"]["field"]) == (code, field), error
        assert result.structured_content == error
        jsonschema.validate(error, CONTRACT["error"])
    try:
        await client.call_tool("source_delete", {})
    except MCPError as error:
        assert "there is no tool" in str(error), error
    else:
        raise AssertionError("an unknown tool was called")


async def check_parallel(client):
    calls = [client.call_tool("source_search", {"text": TERM, "max_matches": 1 + n % 3}) for n in range(20)]
    for n, result in enumerate(await asyncio.gather(*calls)):
        assert not result.is_error and len(result.structured_content["matches"]) <= 1 + n % 3
    seen = []

    async def progress(step, total, message):
        seen.append(step)

    await client.call_tool("source_context", {"text": TERM}, progress_callback=progress)
    await asyncio.sleep(0.1)
    assert seen and seen[0] == 0.0, seen
    # A request that its client gives up spoils no other.
    calls = [asyncio.create_task(client.call_tool("source_context", {"text": TERM})) for _ in range(12)]
    await asyncio.sleep(0)
    for call in calls[:11]:
        call.cancel()
    kept = await calls[11]
    assert not kept.is_error
    await asyncio.gather(*calls[:11], return_exceptions=True)
    assert not (await client.call_tool("source_list", {})).is_error


async def check_package(arguments):
    """With a package: captures are named, listed and readable; asking again costs nothing."""
    server = StdioServerParameters(command=PINCITE, args=arguments)
    async with Client(server) as client:
        first = await client.call_tool("source_search", {"text": TERM})
        again = await client.call_tool("source_search", {"text": TERM})
        name = first.meta["pincite/capture"]
        assert again.meta["pincite/capture"] == name and again.structured_content == first.structured_content
        bundle = await client.call_tool("project_query", {"queries": [{"kind": "source.list"}, {"kind": "x"}]})
        assert len(bundle.meta["pincite/captures"]) == 2 and bundle.meta["pincite/captures"][1] is None
        spent = await client.call_tool("source_context", {"text": TERM})
        assert spent.is_error and json.loads(spent.content[0].text)["error"]["code"] == "budget_exhausted"
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        assert listed[0] == "pincite://context" and f"pincite://capture/{name}" in listed and len(listed) == 3, listed
        contents = (await client.read_resource(f"pincite://capture/{name}")).contents[0]
        assert contents.mime_type == "application/json"
        assert hashlib.sha256(contents.text.encode()).hexdigest() == name
        assert json.loads(contents.text)["result"] == first.structured_content
        context = json.loads((await client.read_resource("pincite://context")).contents[0].text)
        assert context["budget"] == 2, context
        try:
            await client.read_resource("pincite://capture/" + "0" * 64)
        except MCPError:
            pass
        else:
            raise AssertionError("a capture that does not exist was read")


async def check(server, expected_version=None, **options):
    async with Client(server, **options) as client:
        if expected_version:
            assert client.protocol_version == expected_version, client.protocol_version
        await check_tools(client)
        await check_errors(client)
        await check_parallel(client)
        return client.protocol_version


def check_end():
    """A client that closes its end gets exit status 0 and nothing but protocol."""
    opening = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "check", "version": "1"},
        },
    }
    arguments = [PINCITE, "mcp", "--profile", PROFILE]
    done = subprocess.run(arguments, input=(json.dumps(opening) + "\n").encode(), capture_output=True, timeout=30)
    assert done.returncode == 0, done
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 1 and lines[0]["result"]["protocolVersion"] == "2025-06-18", lines


async def main():
    stdio = StdioServerParameters(command=PINCITE, args=["mcp", "--profile", PROFILE])
    print("stdio", await check(stdio))
    print("stdio", await check(stdio, mode="legacy"))
    check_end()
    with tempfile.TemporaryDirectory() as folder:
        package = str(Path(folder) / "package")
        command("case", "new", "--package", package, "--budget", "2", "--format", "json")
        await check_package(["mcp", "--profile", PROFILE, "--package", package])
    print("stdio, package")
    listen = [PINCITE, "serve", "--listen", "127.0.0.1:0", "--profile", PROFILE]
    served = subprocess.Popen(listen, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = served.stderr.readline().split()[-1]
        print("http", await check(f"{address}/mcp"))
        print("http", await check(f"{address}/mcp", mode="legacy"))
    finally:
        served.send_signal(signal.SIGTERM)
        assert served.wait(timeout=20) == 0, served.returncode
    assert served.stdout.read() == ""


asyncio.run(main())
print("the Python client is content")
