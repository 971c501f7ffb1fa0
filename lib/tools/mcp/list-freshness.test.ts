import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogBody } from '@/lib/runtime/ports';
import { fakeClock } from '@/lib/testing/fake-clock';
import { agentCard } from '@/lib/testing/graph-of';
import { configOf } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let root: string;
let pool: McpPool;
let logs: LogBody[];
const clock = fakeClock();
const card = agentCard('lead', { servers: ['s'] });

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-fresh-'));
  logs = [];
  pool = createMcpPool({ clock, log: (body) => logs.push(body), env: { PATH: process.env.PATH }, idleMs: 3_600_000 });
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

/** A server whose n-th answer to `tools/list` is the n-th of `lists`. It notes each of them in the file `listed`. */
async function portOf(lists: readonly object[]) {
  const source = `import { createInterface } from 'node:readline';
import { appendFileSync } from 'node:fs';
const lists = ${JSON.stringify(lists)};
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return write({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  appendFileSync('listed', method + '\\n');
  write({ id, ...lists.shift() });
});`;
  await writeFile(path.join(root, 'server.mjs'), source);
  const port = pool.port({
    config: configOf({ s: { command: 'node', args: ['server.mjs'], pingIntervalSeconds: 0 } }),
    root,
  });
  return {
    version: () => port.version(card),
    names: async () => {
      const { tools, issues } = await port.list(card, new AbortController().signal);
      return [...tools.map(({ name }) => name), ...issues.map(({ message }) => message)].join(' ');
    },
    asked: async () => (await readFile(path.join(root, 'listed'), 'utf8')).trim().split('\n').length,
  };
}

const list = (name: string, more: object = {}) => ({
  result: { tools: [{ name, inputSchema: { type: 'object' } }], ...more },
});

test('a list is read again once its time is over, and not before', async () => {
  const server = await portOf([list('a', { ttlMs: 60_000 }), list('b', { ttlMs: 0 }), list('c')]);
  const first = server.version();
  expect(await server.names()).toBe('s__a');
  await clock.advance(59_000);
  expect([server.version(), await server.names()]).toEqual([first, 's__a']);
  await clock.advance(1_000);
  expect(server.version()).toBe(first + 1);
  expect(await server.names()).toBe('s__b');
  // A time of 0 counts as 10 seconds.
  await clock.advance(9_000);
  expect(server.version()).toBe(first + 1);
  await clock.advance(1_000);
  expect(server.version()).toBe(first + 2);
  expect(await server.names()).toBe('s__c');
  // A list without a time stays until the server reports a change.
  await clock.advance(1_000_000);
  expect([server.version(), await server.names(), await server.asked()]).toEqual([first + 2, 's__c', 3]);
});

test('a list that cannot be read again is used on', async () => {
  const broken = { error: { code: -32603, message: 'The database is away' } };
  const server = await portOf([list('a', { ttlMs: 20_000 }), broken, list('b')]);
  expect(await server.names()).toBe('s__a');
  await clock.advance(20_000);
  server.version();
  expect(await server.names()).toBe('s__a');
  expect(logs.map(({ message }) => message)).toContain(
    "Server 's' did not list what it offers: The database is away. Its last list is used on.",
  );
  await clock.advance(10_000);
  server.version();
  expect(await server.names()).toBe('s__b');
});
