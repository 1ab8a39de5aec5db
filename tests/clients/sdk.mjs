// The official TypeScript SDK, over stdio and HTTP.  sdk.mjs URL
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";

const transports = {
  stdio: () => new StdioClientTransport({ command: process.env.MEMORY_BIN, args: ["mcp"], env: process.env, stderr: "ignore" }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(process.argv[2])),
};

async function converse(transport, word) {
  const client = new Client({ name: "clients", version: "1" });
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "memory");
  const { tools } = await client.listTools();
  assert(tools.some((tool) => tool.name === "memory_smart_search"));
  const written = await client.callTool({ name: "memory_write", arguments: { content: `the SDK said ${word}` } });
  assert.equal(written.isError, false);
  const found = await client.callTool({ name: "memory_search", arguments: { query: word } });
  assert.match(found.structuredContent.memories[0].content, new RegExp(word));
  const recent = await client.readResource({ uri: "memory://recent" });
  assert.match(recent.contents[0].text, new RegExp(word));
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((prompt) => prompt.name).sort(), ["recall", "remember"]);
  await client.ping();
  await client.close();
}

for (const [name, transport] of Object.entries(transports)) {
  try {
    await converse(transport(), `typescript${name}`.toLowerCase());
    console.log(`PASS TypeScript SDK: ${name}`);
  } catch (problem) {
    process.exitCode = 1;
    console.log(`FAIL TypeScript SDK: ${name}: ${String(problem).split(/\s+/).join(" ").slice(0, 600)}`);
  }
}
