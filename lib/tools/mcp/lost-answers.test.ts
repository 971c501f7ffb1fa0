import { once } from 'node:events';
import http from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRecord } from '@/lib/base/json';
import { systemClock } from '@/lib/jobs/system-clock';
import type { LogBody } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

/** Servers over streamable HTTP whose answers end without a result. Without a watch a call would wait for its whole time limit. */

let pool: McpPool;
let server: http.Server;
let logs: LogBody[];
const card = agentCard('lead', { servers: ['cut'] });
const signal = new AbortController().signal;

beforeEach(() => {
  logs = [];
  pool = createMcpPool({ clock: systemClock, log: (body) => logs.push(body), env: {} });
});

afterEach(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

interface Exchange {
  readonly id: unknown;
  readonly response: http.ServerResponse;
  /** Begins an event stream. */
  readonly stream: () => void;
}

interface Behaviour {
  /** Answers the calls of the tool `all` and of the tool `read`, which declares that it only reads. */
  readonly call?: (exchange: Exchange) => void;
  /** Answers a GET that wants to resume from an event. */
  readonly resume?: (event: string, response: http.ServerResponse) => void;
  readonly list?: (exchange: Exchange) => void;
}

const result = (id: unknown, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

async function serve(behaviour: Behaviour) {
  const starts: string[] = [];
  server = http.createServer(async (request, response) => {
    if (request.method === 'GET') {
      const event = request.headers['last-event-id'];
      if (typeof event === 'string' && behaviour.resume) return behaviour.resume(event, response);
      return response.writeHead(405).end();
    }
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const message: unknown = JSON.parse(Buffer.concat(parts).toString() || '{}');
    if (!isRecord(message) || message.id === undefined) return response.writeHead(202).end();
    const { id, method } = message;
    const params = isRecord(message.params) ? message.params : {};
    const reply = (value: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
    };
    const stream = () => void response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (method === 'initialize') {
      starts.push('start');
      const { protocolVersion } = params;
      return reply({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'cut', version: '1' } });
    }
    if (method === 'tools/list') {
      if (behaviour.list) return behaviour.list({ id, response, stream });
      const tool = (name: string) => ({
        name,
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: name === 'read' },
      });
      return reply({ tools: ['all', 'read', 'other'].map(tool) });
    }
    if (method === 'ping') return reply({});
    if (method === 'tools/call' && params.name !== 'other') return behaviour.call?.({ id, response, stream });
    return reply({ content: [{ type: 'text', text: 'other' }] });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/mcp`;
  const port = pool.port({ config: configOf({ cut: { url } }), root: '/' });
  return { port, starts, url };
}

/** Answers with an event stream that ends after this text. */
const streams =
  (text: string) =>
  ({ response, stream }: Exchange): void => {
    stream();
    response.end(text);
  };

const mayHave = 'The call may or may not have taken effect.';

describe('a call whose answer cannot come any more', () => {
  test.each<[string, Behaviour, string]>([
    ['a stream that ends', { call: streams(': hello\n\n') }, 'ended its answer without a result (HTTP 200)'],
    [
      'a stream that is reset',
      {
        call: ({ response, stream }) => {
          stream();
          response.write('data: {"jsonrpc":"2.0","id":', () => response.destroy());
        },
      },
      'broke its answer off (HTTP 200)',
    ],
    ['202', { call: ({ response }) => response.writeHead(202).end() }, 'gave HTTP 202 and no result'],
    [
      'the answer to another request',
      { call: streams(`data: ${JSON.stringify(result(9_999, 'no'))}\n\n`) },
      'ended its answer without a result (HTTP 200)',
    ],
    [
      'JSON with the answer to another request',
      {
        call: ({ response }) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result(9_999, 'no'))),
      },
      'ended its answer without a result (HTTP 200)',
    ],
    [
      'an event that is broken',
      { call: streams('data: {"jsonrpc":"2.0","id":\n\n') },
      'ended its answer without a result (HTTP 200)',
    ],
    [
      'a stream that cannot be resumed',
      {
        call: streams('id: e1\ndata: \n\n'),
        resume: (_, response) => response.writeHead(500).end(),
      },
      'ended its answer without a result, and the answer could not be resumed (HTTP 500)',
    ],
    [
      'a stream that the server does not resume at all',
      { call: streams('id: e1\ndata: \n\n') },
      'ended its answer without a result, and the answer could not be resumed (HTTP 405)',
    ],
    [
      'a stream that is resumed without anything',
      {
        call: streams('id: e1\ndata: \n\n'),
        resume: (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': no\n\n'),
      },
      'ended its answer without a result, and the answer could not be resumed (HTTP 200, without events)',
    ],
  ])('ends long before its time limit: %s', async (_, behaviour, why) => {
    const { port, starts } = await serve(behaviour);
    const { tools } = await port.list(card, signal);
    // A call of a sibling on the same connection is not disturbed, and neither is the next one.
    const [lost, sibling] = await Promise.all([
      port.call(toolNamed(tools, 'cut__all'), {}, callContext()),
      port.call(toolNamed(tools, 'cut__other'), {}, callContext()),
    ]);
    expect(lost).toMatchObject({ isError: true, errorCode: 'SERVER_UNAVAILABLE' });
    expect(textOf(lost.content)).toBe(`Server 'cut' gave no result: it ${why}. ${mayHave}`);
    expect(textOf(sibling.content)).toBe('other');
    expect(textOf((await port.call(toolNamed(tools, 'cut__other'), {}, callContext())).content)).toBe('other');
    expect(starts).toHaveLength(1);
  });

  test('is made once more if the tool only reads', async () => {
    let calls = 0;
    const { port } = await serve({
      call({ id, response, stream }) {
        calls += 1;
        stream();
        response.end(calls === 1 ? ': nothing\n\n' : `data: ${JSON.stringify(result(id, 'second'))}\n\n`);
      },
    });
    const { tools } = await port.list(card, signal);
    const read = await port.call(toolNamed(tools, 'cut__read'), {}, callContext());
    expect(textOf(read.content)).toBe('second');
    expect(logs.map(({ code, message }) => `${code}: ${message}`)).toContain(
      "server_reconnect: Server 'cut' gave no result: it ended its answer without a result (HTTP 200). It is asked again.",
    );
  });

  test('goes on where its stream can be resumed, as often as it takes', async () => {
    let asked: unknown;
    const resumedFrom: string[] = [];
    const { port } = await serve({
      call({ id, response, stream }) {
        asked = id;
        stream();
        response.end('retry: 10\nid: e0\ndata: \n\n');
      },
      resume(event, response) {
        resumedFrom.push(event);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const next = `id: e${resumedFrom.length}\ndata: `;
        response.end(resumedFrom.length < 6 ? `${next}\n\n` : `${next}${JSON.stringify(result(asked, 'all'))}\n\n`);
      },
    });
    const { tools } = await port.list(card, signal);
    expect(textOf((await port.call(toolNamed(tools, 'cut__all'), {}, callContext())).content)).toBe('all');
    expect(resumedFrom).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5']);
  });
});

test('a list whose answer ends is told with the reason', async () => {
  const { port } = await serve({ list: streams(': nothing\n\n') });
  const { issues } = await port.list(card, signal);
  expect(issues[0]?.message).toBe(
    "Server 'cut' did not list what it offers: it ended its answer without a result (HTTP 200).",
  );
});
