import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

let root: string;
let pool: McpPool;
const card = agentCard('lead', { servers: ['ev'] });
const signal = new AbortController().signal;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-handshake-'));
  pool = poolWith(30_000);
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

function poolWith(connectTimeoutMs: number): McpPool {
  return createMcpPool({ clock: systemClock, log: () => undefined, env: { PATH: process.env.PATH }, connectTimeoutMs });
}

/** A server over stdio that answers `initialize` as given, and writes each notification to the file `notified`. */
async function scopeOf(answer: object, pingMs = 0) {
  const source = `import { createInterface } from 'node:readline';
import { appendFileSync } from 'node:fs';
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let pings = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return appendFileSync('notified', method + '\\n');
  if (method === 'initialize') return write({ id, ...${JSON.stringify(answer)} });
  if (method === 'tools/list') return write({ id, result: { tools: [{ name: 'a' }] } });
  if (method === 'ping') { pings += 1; return write({ id, result: {} }); }
  const answer = () => write({ id, result: { content: [] } });
  const wait = setInterval(() => { if (pings > 1 || ${pingMs} === 0) { clearInterval(wait); answer(); } }, 5);
});`;
  await writeFile(path.join(root, 'server.mjs'), source);
  const ev = { command: 'node', args: ['server.mjs'], ...(pingMs > 0 && { pingIntervalSeconds: pingMs / 1000 }) };
  return { config: configOf({ ev }), root };
}

const hello = (more: object) => ({ result: { serverInfo: { name: 'e', version: '1' }, ...more } });

test.each([
  [{ error: { code: -32603, message: 'Your licence has expired' } }, 'Your licence has expired'],
  [{ error: { code: -32000, message: 'No slots.' } }, 'No slots.'],
  [
    hello({ protocolVersion: '2099-01-01', capabilities: {} }),
    'it speaks protocol 2099-01-01, which is not spoken here',
  ],
  [
    hello({ protocolVersion: '2025-06-18' }),
    "it answered in a form that MCP does not have: 'capabilities' is missing or of another type",
  ],
  [{ result: null }, 'it answered with null, which is no result'],
])('the reason of a refused handshake is the one of the server: %j', async (answer, why) => {
  const scope = await scopeOf(answer);
  const { issues } = await pool.port(scope).list(card, signal);
  expect(issues[0]?.message).toBe(
    `Server 'ev' did not start: \`node server.mjs\` refused the handshake: ${why.replace(/\.$/, '')}.`,
  );
  const report = await pool.probe(scope, 'ev', signal);
  expect(report.steps.map(({ name, state }) => `${name} ${state}`)).toContain('initialize failed');
  expect(report.why).toBe(why);
});

test('nothing that was answered is cancelled at the end', async () => {
  const scope = await scopeOf(hello({ protocolVersion: '2025-06-18', capabilities: { tools: {} } }), 20);
  const port = pool.port(scope);
  const { tools } = await port.list(card, signal);
  // The call is answered after two pings.
  await port.call(toolNamed(tools, 'ev__a'), {}, callContext());
  await pool.close();
  expect(await readFile(path.join(root, 'notified'), 'utf8')).toBe('notifications/initialized\n');
});

test('a handshake that takes too long is not cancelled either', async () => {
  await pool.close();
  pool = poolWith(1_500);
  await scopeOf({});
  const file = path.join(root, 'server.mjs');
  const silent = (await readFile(file, 'utf8')).replace(
    "if (method === 'initialize')",
    "if (method === 'initialize') return appendFileSync('notified', ''); if (method === 'never')",
  );
  await writeFile(file, silent);
  const config = configOf({ ev: { command: 'node', args: ['server.mjs'] } });
  const { issues } = await pool.port({ config, root }).list(card, signal);
  expect(issues[0]?.message).toContain('gave no answer within 1.5 s');
  expect(await readFile(path.join(root, 'notified'), 'utf8').catch(() => '')).toBe('');
});
