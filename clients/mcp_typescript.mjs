// The official TypeScript client, over stdio and streamable HTTP, in both eras: what mcp_python.py asks, in shorter form.
//
// argv: a project that is indexed, one that is not (large), the folder with node_modules. The libraries are loaded by `require`,
// because an `import` would look for them beside this file and not where clients/run put them.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [root, large, modules] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");

const KITBAG = process.env.KITBAG;
const MODERN = "2026-07-28";
const TASK = { task: "refuse a cart whose total is over the limit" };
const GOOD = JSON.parse(readFileSync(new URL("good.json", import.meta.url)));
let failed = false;

function check(name, holds, seen) {
  if (holds) return console.log(`ok    ${name}`);
  console.log(`FAIL  ${name}\n      seen: ${JSON.stringify(seen)?.slice(0, 2000)}`);
  if (process.env.CLIENTS_GO_ON !== "1") end(1);
  failed = true;
}

let serving;
function end(code) {
  serving?.kill();
  process.exit(code);
}

const text = (answer) => answer.content.map((block) => block.text ?? "").join("\n");

async function refused(name, asking, code, word) {
  try {
    check(name, false, await asking);
  } catch (error) {
    check(name, error.code === code && error.message.includes(word), { code: error.code, message: error.message });
  }
}

function overStdio(project, ...more) {
  const args = ["--root", project, "mcp", ...more];
  return new StdioClientTransport({ command: KITBAG, args, env: process.env, stderr: "inherit" });
}

async function connected(transport, era) {
  const mode = era === MODERN ? { pin: MODERN } : era;
  const client = new Client({ name: "clients/mcp_typescript.mjs", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

async function everything(name, client, era) {
  const version = client.getNegotiatedProtocolVersion();
  check(`${name}: version`, version === (era === "legacy" ? "2025-11-25" : MODERN), version);
  check(`${name}: says who it is`, client.getServerVersion()?.name === "kitbag", client.getServerVersion());
  check(`${name}: instructions`, client.getInstructions()?.includes("build_context_pack"), client.getInstructions());

  const { tools } = await client.listTools();
  const again = await client.listTools({}, { cacheMode: "refresh" });
  check(`${name}: tools/list twice the same`, JSON.stringify(tools) === JSON.stringify(again.tools), again);
  for (const tool of tools) {
    const confirmed = "confirm" in (tool.inputSchema.properties ?? {}) ? ["confirm"] : [];
    const required = [...(tool.inputSchema.required ?? []), ...confirmed];
    const missing = required.find((name) => !(name in GOOD));
    check(`${name}: ${tool.name}: GOOD knows its required arguments`, !missing, missing);
    const good = Object.fromEntries(required.map((name) => [name, GOOD[`${tool.name}.${name}`] ?? GOOD[name]]));
    const answer = await client.callTool({ name: tool.name, arguments: good });
    // What an earlier client had forgotten is gone.
    const gone = tool.name === "forget" && text(answer).includes("[MEMORY_NOT_FOUND]");
    check(`${name}: ${tool.name}`, (!answer.isError || gone) && text(answer).trim() && !answer.structuredContent, answer);
    const wrong = await client.callTool({ name: tool.name, arguments: { ...good, no_such_field: 1 } });
    check(`${name}: ${tool.name}: unknown field`, wrong.isError && text(wrong).includes("no_such_field"), wrong);
  }
  const budget = await client.callTool({ name: "build_context_pack", arguments: { ...TASK, max_tokens: 1 } });
  check(`${name}: max_tokens out of range`, budget.isError && text(budget).includes("max_tokens"), budget);
  const out = await client.callTool({ name: "build_context_pack", arguments: { ...TASK, files: ["../outside.txt", "link.txt", "/etc/passwd"] } });
  check(`${name}: files outside of the project`, !/OUTSIDE-THE-PROJECT|root:x:0/.test(text(out)), out);
  const data = await client.callTool({ name: "build_context_pack", arguments: { ...TASK, format: "json" } });
  check(`${name}: format json gives structure`, data.structuredContent?.items?.length > 0, data);
  await refused(`${name}: an unknown tool`, client.callTool({ name: "no_such_tool", arguments: {} }), -32602, "build_context_pack");

  const { resources } = await client.listResources();
  check(`${name}: resources`, resources[0].uri === "kitbag://overview" && resources.length > 1, resources);
  for (const { uri } of resources.slice(0, 2)) {
    const { contents } = await client.readResource({ uri });
    check(`${name}: ${uri}`, contents[0].text.length > 50, contents);
  }
  const { resourceTemplates } = await client.listResourceTemplates();
  check(`${name}: templates`, resourceTemplates[0].uriTemplate === "kitbag://pack/{id}", resourceTemplates);
  const unknown = client.readResource({ uri: "kitbag://pack/no-such-pack" });
  await refused(`${name}: an unknown resource`, unknown, era === "legacy" ? -32002 : -32602, "kitbag://overview");

  const { prompts } = await client.listPrompts();
  for (const prompt of prompts) {
    const given = Object.fromEntries(prompt.arguments.map(({ name }) => [name, "the cart of the shop"]));
    const { messages } = await client.getPrompt({ name: prompt.name, arguments: given });
    check(`${name}: prompt ${prompt.name}`, messages[0].content.text.includes("the cart of the shop"), messages);
  }
  await refused(`${name}: a prompt without its argument`, client.getPrompt({ name: "fix_bug", arguments: {} }), -32602, "problem");
}

async function unindexed(name, era) {
  const store = mkdtempSync(join(process.env.CLIENTS_SPACE, "typescript-"));
  const client = await connected(overStdio(large, "--tools", "core", "--store", store), era);
  const heard = [];
  const asked = { name: "build_context_pack", arguments: { task: "make item 17" } };
  const answer = await client.callTool(asked, { onprogress: (progress) => heard.push(progress) });
  check(`${name}: the first question is answered before the index is there`, !answer.isError && text(answer).includes("index not complete"), answer);
  const grows = heard.every(({ progress }, idx) => idx === 0 || progress > heard[idx - 1].progress);
  check(`${name}: progress grows (${heard.length} times)`, heard.length > 0 && grows, heard);
  await client.close();
  rmSync(store, { recursive: true, force: true });

  const fresh = mkdtempSync(join(process.env.CLIENTS_SPACE, "typescript-"));
  const impatient = await connected(overStdio(large, "--store", fresh), era);
  const controller = new AbortController();
  const asking = impatient.callTool(asked, { signal: controller.signal }).then(() => "answered", () => "taken back");
  setTimeout(() => controller.abort("no longer wanted"), 200);
  check(`${name}: a question can be taken back`, (await asking) === "taken back", await asking);
  check(`${name}: and others are answered`, (await impatient.listTools()).tools.length > 0);
  await impatient.close();
  rmSync(fresh, { recursive: true, force: true });
}

async function served() {
  serving = spawn(KITBAG, ["--root", root, "--json", "serve", "--port", "0", "--tools", "all"], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve) => serving.stdout.once("data", (data) => resolve(String(data))));
  return new URL("/mcp", JSON.parse(line).url);
}

const url = await served();
for (const era of ["legacy", MODERN]) {
  const piped = await connected(overStdio(root, "--tools", "all"), era);
  await everything(`typescript stdio ${era}`, piped, era);
  await piped.close();
  const transport = new StreamableHTTPClientTransport(url);
  const posted = await connected(transport, era);
  await everything(`typescript http ${era}`, posted, era);
  if (era === "legacy") await transport.terminateSession();
  await posted.close();
  await unindexed(`typescript ${era}`, era);
}
const found = await connected(overStdio(root), "auto");
check("typescript auto: the modern era is found by asking", found.getNegotiatedProtocolVersion() === MODERN, found.getNegotiatedProtocolVersion());
await found.close();
end(failed ? 1 : 0);
