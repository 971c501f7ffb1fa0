import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brandAs } from '@/lib/base/ids';
import type { FastAgentConfig, ServerConfig } from '@/lib/cards/config';
import type { ToolCallContext, ToolDescriptor } from '@/lib/runtime/ports';
import { bundleForNode } from './bundle-for-node';

/** Builders for MCP servers that tests start and call. */

/** Returns the path of a file in an installed package. */
export function modulePath(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => path.join(folder, name)).find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}

/**
 * Writes a stdio server into a folder. `source` can use `server`, `z`, `text` and `McpServer`. Each start appends its process
 * id to the file `starts`. With `tasks` its tools may be called as tasks.
 */
export async function writeServer(
  root: string,
  source: string,
  {
    file = 'server.mjs',
    instructions,
    tasks = false,
  }: { readonly file?: string | undefined; readonly instructions?: string; readonly tasks?: boolean } = {},
) {
  bundledSdk ??= bundleSdk();
  const code = `import { InMemoryTaskMessageQueue, InMemoryTaskStore, McpServer, ResourceTemplate, StdioServerTransport, types, z } from ${JSON.stringify(await bundledSdk)};
import { appendFileSync } from 'node:fs';
appendFileSync('starts', process.pid + '\\n');
const instructions = ${JSON.stringify(instructions)};
const tasks = ${tasks} && { taskStore: new InMemoryTaskStore(), taskMessageQueue: new InMemoryTaskMessageQueue() };
const capabilities = { logging: {}, tools: { listChanged: true }, ...(tasks && { tasks: { cancel: {}, requests: { tools: { call: {} } } } }) };
const server = new McpServer({ name: 'own', version: '1' }, { instructions, capabilities, ...tasks });
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
${source}
await server.connect(new StdioServerTransport());`;
  await writeFile(path.join(root, file), code);
  return { command: 'node', args: [file] };
}

/** The address of the SDK and zod in one file, because their hundred files double the time in which a server starts. */
let bundledSdk: Promise<string> | undefined;

async function bundleSdk(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-sdk-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const sdk = (name: string) => JSON.stringify(modulePath(`@modelcontextprotocol/sdk/dist/esm/${name}`));
  const source = `export { McpServer, ResourceTemplate } from ${sdk('server/mcp.js')};
export { StdioServerTransport } from ${sdk('server/stdio.js')};
export { InMemoryTaskMessageQueue, InMemoryTaskStore } from ${sdk('experimental/tasks/stores/in-memory.js')};
export * as types from ${sdk('types.js')};
export { z } from ${JSON.stringify(modulePath('zod/index.js'))};`;
  return pathToFileURL(await bundleForNode(source, folder)).href;
}

export function configOf(servers: Readonly<Record<string, Partial<ServerConfig>>>): FastAgentConfig {
  const full = Object.entries(servers).map(([name, server]): [string, ServerConfig] => [
    name,
    {
      name,
      transport: server.url === undefined ? 'stdio' : 'http',
      command: undefined,
      args: [],
      env: {},
      cwd: undefined,
      url: undefined,
      headers: {},
      accessToken: undefined,
      readTimeoutSeconds: undefined,
      includeInstructions: true,
      loadOnStart: true,
      reconnectOnDisconnect: true,
      pingIntervalSeconds: undefined,
      maxMissedPings: 3,
      elicitation: 'forms',
      asksPeople: false,
      protocolMode: 'auto',
      samplingModel: undefined,
      roots: [],
      description: undefined,
      raw: {},
      ...server,
    },
  ]);
  return {
    file: 'fast-agent.yaml',
    servers: Object.fromEntries(full),
    defaultModel: undefined,
    modelReferences: {},
    providers: {},
    raw: {},
  };
}

export function callContext(changes: Partial<ToolCallContext> = {}): ToolCallContext {
  return {
    runId: brandAs('run-1'),
    path: brandAs('lead'),
    agentName: 'lead',
    instanceName: 'lead',
    callId: brandAs('call-1'),
    correlationId: brandAs('correlation-1'),
    idempotencyKey: brandAs('lead#t1'),
    signal: new AbortController().signal,
    state: { values: () => ({}), write: () => undefined },
    artifacts: {
      save: () => Promise.reject(new Error('none here')),
      load: async () => undefined,
      list: async () => [],
    },
    log: () => undefined,
    ...changes,
  };
}

export function toolNamed(tools: readonly ToolDescriptor[], name: string): ToolDescriptor {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined)
    throw new Error(`No tool ${name} among ${tools.map((candidate) => candidate.name).join(', ')}`);
  return tool;
}
