// Talks to pincite with the official TypeScript client, over stdio and HTTP, and checks what comes back.
//
//     check.mjs PINCITE PROFILE TERM PATH
//
// PROFILE names a repository with an index, TERM stands in it more than once, PATH is one of its files.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv2020 } from "ajv/dist/2020.js";

const [pincite, profile, term, path] = process.argv.slice(2);
const names = ["source_context", "source_search", "source_read", "source_list", "project_query"];
const calls = {
  source_context: { text: term },
  source_search: { text: term, mode: "literal" },
  source_read: { path, start_line: 1, end_line: 5 },
  source_list: {},
};
const run = (...args) => JSON.parse(execFileSync(pincite, [...args, "--profile", profile], { stdio: "pipe" }));
const query = (input) =>
  JSON.parse(execFileSync(pincite, ["query", "--profile", profile], { input: JSON.stringify(input), stdio: "pipe" }));
const contract = run("contract", "--format", "json");
const ajv = new Ajv2020({ strict: false });
const holds = (schema, value) => assert.ok(ajv.validate(schema, value), ajv.errorsText());

async function connect(transport) {
  const client = new Client({ name: "check", version: "1" });
  await client.connect(transport);
  return client;
}

async function checkTools(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), names);
  assert.ok(client.getInstructions().startsWith("# project.query"));
  const schema = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  for (const [name, args] of Object.entries(calls)) {
    const kind = name.replace("_", ".");
    holds(schema[name].inputSchema, args);
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    holds(schema[name].outputSchema, result.structuredContent);
    holds(contract.results[kind], result.structuredContent);
    assert.deepEqual(result.structuredContent, query({ kind, ...args }));
    assert.ok(result.content[0].text.startsWith(result.structuredContent.status));
  }
  const bundle = { queries: [{ kind: "source.list" }, { kind: "source.read" }] };
  const { structuredContent } = await client.callTool({ name: "project_query", arguments: bundle });
  assert.equal(structuredContent.results[0].kind, "source.list");
  assert.equal(structuredContent.results[1].error.field, "path");
}

async function checkErrors(client) {
  for (const [name, args, code, field] of [
    ["source_context", { text: term, commit: "HEAD" }, "invalid_request", "commit"],
    ["source_read", { path: "../x", start_line: 1, end_line: 1 }, "unsafe_path", "path"],
    ["source_read", { path: "no/such", start_line: 1, end_line: 1 }, "not_found", "path"],
    ["source_search", {}, "invalid_request", "text"],
  ]) {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, true);
    const error = JSON.parse(result.content[0].text);
    assert.deepEqual([error.error.code, error.error.field], [code, field]);
    assert.deepEqual(result.structuredContent, error);
    holds(contract.error, error);
  }
  await assert.rejects(client.callTool({ name: "source_delete", arguments: {} }), /there is no tool/);
}

async function checkParallel(client) {
  const search = (n) => client.callTool({ name: "source_search", arguments: { text: term, max_matches: 1 + (n % 3) } });
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => search(n)));
  results.forEach((result, n) => assert.ok(!result.isError && result.structuredContent.matches.length <= 1 + (n % 3)));
  const seen = [];
  const context = { name: "source_context", arguments: { text: term } };
  // This client forgets who waits for progress as soon as it has read the answer, and hands progress on a moment later. A
  // note that is read together with a fast answer is lost there, so it is asked until one comes alone.
  for (let tries = 0; tries < 50 && seen.length === 0; tries += 1) {
    await client.callTool(context, undefined, { onprogress: (step) => seen.push(step.progress) });
  }
  assert.ok(seen.length > 0 && seen.every((progress) => progress === 0 || progress === 1));
  const stop = new AbortController();
  const given = Array.from({ length: 8 }, () => client.callTool(context, undefined, { signal: stop.signal }));
  const kept = client.callTool(context);
  const refused = Promise.allSettled(given);
  stop.abort("enough");
  assert.ok((await refused).some((one) => one.status === "rejected"));
  assert.ok(!(await kept).isError);
}

async function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), "pincite-"));
  const directory = join(folder, "package");
  run("case", "new", "--package", directory, "--budget", "1", "--format", "json");
  const args = ["mcp", "--profile", profile, "--package", directory];
  const client = await connect(new StdioClientTransport({ command: pincite, args }));
  const first = await client.callTool({ name: "source_search", arguments: { text: term } });
  const name = first._meta["pincite/capture"];
  const spent = await client.callTool({ name: "source_list", arguments: {} });
  assert.equal(JSON.parse(spent.content[0].text).error.code, "budget_exhausted");
  const listed = (await client.listResources()).resources.map((one) => one.uri);
  assert.deepEqual(listed, ["pincite://context", `pincite://capture/${name}`]);
  const [contents] = (await client.readResource({ uri: listed[1] })).contents;
  assert.equal(createHash("sha256").update(contents.text).digest("hex"), name);
  assert.deepEqual(JSON.parse(contents.text).result, first.structuredContent);
  await client.close();
  rmSync(folder, { recursive: true });
}

async function check(transport) {
  const client = await connect(transport);
  await checkTools(client);
  await checkErrors(client);
  await checkParallel(client);
  await client.close();
}

await check(new StdioClientTransport({ command: pincite, args: ["mcp", "--profile", profile] }));
console.log("stdio");
await checkPackage();
console.log("stdio, package");
const served = spawn(pincite, ["serve", "--listen", "127.0.0.1:0", "--profile", profile]);
const ended = new Promise((resolve) => served.on("exit", (code) => resolve(code)));
try {
  const line = await new Promise((resolve) => createInterface(served.stderr).once("line", resolve));
  await check(new StreamableHTTPClientTransport(new URL(`${line.split(" ").at(-1)}/mcp`)));
  console.log("http");
} finally {
  served.kill("SIGTERM");
}
assert.equal(await ended, 0);
console.log("the TypeScript client is content");
