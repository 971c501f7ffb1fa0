import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';
import { StrayAnswers } from './stray-answers';

/** Servers over stdio that answer so that nobody can know which request is meant. The time limit of calls is 300 s. */

let root: string;
let pool: McpPool;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-stray-'));
  pool = createMcpPool({ clock: systemClock, log: () => undefined, env: { PATH: process.env.PATH } });
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

/** `odd` is JavaScript that answers the request `id` of a call of the tool `odd`. The tool `good` works, `late` answers after `odd`. */
async function serve(odd: string) {
  await writeFile(
    path.join(root, 'server.mjs'),
    `import { createInterface } from 'node:readline';
    const say = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value) + '\\n');
    const ok = (id, text) => say({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    let late = [];
    setInterval(() => undefined, 1000);
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      if (method === 'initialize') {
        const { protocolVersion } = params;
        return say({ jsonrpc: '2.0', id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
      }
      if (method === 'tools/list') {
        const tools = ['odd', 'good', 'late'].map((name) => ({ name, inputSchema: { type: 'object' } }));
        return say({ jsonrpc: '2.0', id, result: { tools } });
      }
      if (method === 'ping') return say({ jsonrpc: '2.0', id, result: {} });
      if (params.name === 'good') return ok(id, 'good');
      if (params.name === 'late') return late.push(id);
      ${odd}
      for (const one of late.splice(0)) ok(one, 'late');
    }).on('close', () => process.exit(0));`,
  );
  const config = configOf({ own: { command: process.execPath, args: ['server.mjs'] } });
  const port = pool.port({ config, root });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), new AbortController().signal);
  return async (name: string) => {
    const { isError, errorCode, content } = await port.call(toolNamed(tools, `own__${name}`), {}, callContext());
    return isError ? `${errorCode}: ${textOf(content)}` : textOf(content);
  };
}

const unsure = 'The call may or may not have taken effect.';

describe('a call over stdio whose answer cannot come any more', () => {
  test.each<[what: string, odd: string, said: string]>([
    ['the id of no request', `ok(9999, 'no')`, 'it answered under the id 9999, which no request has'],
    ['an id of another kind', `ok('call-' + id, 'no')`, 'it answered under the id "call-'],
    [
      'an error with null as its id',
      `say({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } })`,
      'it answered without an id',
    ],
    ['an error without an id', `say({ jsonrpc: '2.0', error: { code: -32600, message: 'no' } })`, 'without an id'],
    ['a result without an id', `say({ jsonrpc: '2.0', result: { content: [] } })`, 'it answered without an id'],
    ['half of JSON', `say('{"jsonrpc":"2.0","id":' + id + ',"result":{"con\\n')`, 'with JSON that cannot be read'],
  ])('ends soon: %s', async (_, odd, said) => {
    const call = await serve(odd);
    const result = await call('odd');
    expect(result).toContain(said);
    expect(result).toContain(unsure);
    expect(result).toMatch(/^SERVER_UNAVAILABLE: Server 'own' /);
    expect(await call('good')).toBe('good');
  });

  test('an answer without a result', async () => {
    const call = await serve(`say({ jsonrpc: '2.0', id })`);
    expect(await call('odd')).toContain(`it answered without a result`);
  });

  test('while another call is open, both go on until one of them is answered', async () => {
    const call = await serve(`ok(9999, 'no')`);
    const late = call('late');
    const odd = call('odd');
    expect(await late).toBe('late');
    expect(await odd).toContain('under the id 9999');
  });

  test('an id that is the number of the request as text is its answer', async () => {
    const call = await serve(`ok(String(id), 'text')`);
    expect(await call('odd')).toBe('text');
  });

  test.each([
    ['text', `say('working\\n')`],
    ['a log line in JSON', `say('{"level":"info"}\\n')`],
    ['a log line in JSON with an error', `say('{"level":"error","error":"no cache","result":null}\\n')`],
    ['a log line that is cut', `say('{"id":7,"level":"er\\n')`],
    [
      'an error that is about a notification',
      `say({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } })`,
    ],
  ])('a line that is no answer ends no call: %s', async (_, line) => {
    const call = await serve(`${line}; setTimeout(() => ok(id, 'done'), 1_000)`);
    expect(await call('odd')).toBe('done');
  });
});

describe('requests and stray answers', () => {
  let watch: StrayAnswers;
  let lost: unknown[];

  beforeEach(() => {
    vi.useFakeTimers();
    watch = new StrayAnswers();
    lost = [];
    watch.onLost = (id) => lost.push(id);
  });

  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  const ask = (...ids: number[]) => {
    for (const id of ids) watch.asked(id);
  };

  test('an answer that comes late, after its request was given up, is no answer to another request', () => {
    ask(0, 1);
    watch.done(0);
    watch.answered(0);
    watch.answered(1);
    expect(lost).toEqual([]);
  });

  test('an answer without an id may be that of a request that was given up', () => {
    ask(0, 1);
    watch.done(0);
    watch.answered(undefined);
    vi.runAllTimers();
    expect(lost).toEqual([]);
    watch.answered(undefined);
    vi.runAllTimers();
    expect(lost).toEqual([1]);
  });

  test('a request that is answered in time after a stray answer is not lost', () => {
    ask(0);
    watch.answered(undefined);
    watch.answered(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(lost).toEqual([]);
  });

  test('a request that is given up after a stray answer takes the stray answer with it', () => {
    ask(0, 1);
    watch.answered(undefined);
    watch.done(0);
    vi.runAllTimers();
    expect(lost).toEqual([]);
  });

  test('as many stray answers as open requests end all of them', () => {
    ask(0, 1);
    watch.answered(undefined);
    vi.runAllTimers();
    expect(lost).toEqual([]);
    watch.answered(undefined);
    vi.runAllTimers();
    expect(lost).toEqual([0, 1]);
  });
});
