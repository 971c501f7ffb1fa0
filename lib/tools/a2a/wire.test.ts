import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';
import { isRecord } from '@/lib/base/json';
import { ok } from '@/lib/base/result';
import { a2aCard, listen, message, remoteAgents } from '@/lib/testing/a2a/sample-calls';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { createRemoteAgents } from './remote-agents';

/** What goes over the wire to an agent that is written by hand, and what is read of its answers. */

const servers: http.Server[] = [];
const agents = remoteAgents();

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Agent {
  readonly version?: '1.0' | '0.3';
  readonly transports?: readonly string[];
  readonly streaming?: boolean;
  /** The text of the result of each request, one after another. The last one is given again. */
  readonly results: readonly string[];
}

/** Answers with text, because `JSON.stringify` cannot write each number. */
async function serve({ version = '1.0', transports = ['JSONRPC'], streaming = false, results }: Agent) {
  const asked: { readonly path: string; readonly body: string }[] = [];
  const server = http.createServer(async (request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (request.url?.endsWith('agent-card.json')) {
      const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [] };
      const card = { name: 'raw', description: 'x', version: '1', ...modes, capabilities: { streaming } };
      const at = (transport: string) => ({
        url: `${url}/${transport}`,
        protocolBinding: transport,
        protocolVersion: '1.0',
      });
      const own =
        version === '1.0'
          ? { supportedInterfaces: transports.map(at) }
          : {
              protocolVersion: '0.3.0',
              url: `${url}/${transports[0]}`,
              preferredTransport: transports[0],
              additionalInterfaces: transports.map((transport) => ({ url: `${url}/${transport}`, transport })),
            };
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...card, ...own }));
    }
    const body = await text(request);
    const result = results[Math.min(asked.length, results.length - 1)];
    asked.push({ path: request.url ?? '', body });
    const isRest = request.url?.startsWith('/HTTP') === true;
    const said: unknown = body === '' ? {} : JSON.parse(body);
    const id = isRecord(said) ? said.id : undefined;
    const whole = isRest ? result : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    if (!streaming) return void response.setHeader('content-type', 'application/json').end(whole);
    response.setHeader('content-type', 'text/event-stream').end(`data: ${whole}\n\n`);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const answer10 = '{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}';
const answer03 = '{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"hi"}]}';

describe('the transport', () => {
  it.each([
    ['JSONRPC', 'HTTP+JSON'],
    ['HTTP+JSON', 'JSONRPC'],
    ['GRPC', 'HTTP+JSON'],
  ] as const)('of agents that offer %s, then %s: the first one that is spoken here', async (...transports) => {
    for (const [version, result] of [
      ['1.0', answer10],
      ['0.3', answer03],
    ] as const) {
      const { url, asked } = await serve({ version, transports, results: [result] });
      const [first] = transports.filter((transport) => transport !== 'GRPC');
      await agents.send(a2aCard(url), message('go'), listen().context);
      expect(asked[0]?.path.split('/')[1], version).toBe(first);
    }
  });

  it('is the one that the card names, if it names one', async () => {
    const { url, asked } = await serve({ transports: ['HTTP+JSON', 'JSONRPC'], results: [answer10] });
    expect(await agents.send(a2aCard(url, { transport: 'JSONRPC' }), message('go'), listen().context)).toEqual(
      ok({ text: 'hi' }),
    );
    expect(asked[0]?.path).toBe('/JSONRPC');
  });
});

describe('a message', () => {
  it.each([
    ['1.0', answer10, { acceptedOutputModes: ['text/plain', 'application/json'], returnImmediately: true }],
    ['0.3', answer03, { acceptedOutputModes: ['text/plain', 'application/json'], blocking: false }],
  ] as const)('has the media types and says that it is polled, in version %s', async (version, result, wanted) => {
    const { url, asked } = await serve({ version, results: [result] });
    const card = a2aCard(url, {
      polling: true,
      acceptedOutputModes: ['text/plain', 'application/json'],
      instruction: 'Nobody there reads this.',
    });
    expect(await agents.send(card, message('go'), listen().context)).toEqual(ok({ text: 'hi' }));
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ params: { configuration: wanted } });
    expect(asked[0]?.body).not.toContain('Nobody there');
  });
});

describe('numbers in data', () => {
  const numbers = '{"id":9007199254740993,"rows":[-12345678901234567890],"text":"9007199254740993","half":0.5}';

  it.each([
    ['1.0', false],
    ['1.0', true],
    ['0.3', false],
    ['0.3', true],
  ] as const)('keep their digits in both directions, in version %s, streamed: %s', async (version, streaming) => {
    const modern = `{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":${numbers}}]}}`;
    const legacy = `{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"data","data":${numbers}}]}`;
    const { url, asked } = await serve({ version, streaming, results: [version === '1.0' ? modern : legacy] });
    const attachments = [
      { type: 'resource', uri: 'file:///x.json', mimeType: 'application/json', text: numbers },
    ] as const;
    const sent = await agents.send(a2aCard(url), { text: 'go', attachments }, listen().context);
    expect(asked[0]?.body).toContain(numbers);
    const pretty = numbers
      .replace('{', '{\n  ')
      .replaceAll(',"', ',\n  "')
      .replaceAll('":', '": ')
      .replace('[', '[\n    ')
      .replace(']', '\n  ]')
      .replace(/\}$/, '\n}');
    expect(sent).toEqual(ok({ text: `\`\`\`json\n${pretty}\n\`\`\`` }));
  });
});

describe('a task that is polled', () => {
  const task = (state: string) => `{"id":"T","contextId":"C","status":{"state":"TASK_STATE_${state}"}}`;

  /** Sends with a clock that notes each pause in milliseconds and does not wait. */
  async function poll(agent: Agent) {
    const { url, asked } = await serve(agent);
    const pauses: number[] = [];
    const clock: Clock = {
      now: () => brandAs<EpochMs>(0),
      sleep: async (ms) => void pauses.push(ms),
    };
    const quick = createRemoteAgents({ clock, guard: createAddressGuard(undefined), projectEnv: {}, secrets: [] });
    const sent = await quick.send(a2aCard(url, { polling: true }), message('go'), listen().context);
    return { sent, pauses, asked };
  }

  it('is asked for every 0.25 to 5 seconds, and more often again when it has moved on', async () => {
    const results = [
      `{"task":${task('SUBMITTED')}}`,
      ...Array<string>(7).fill(task('SUBMITTED')),
      task('WORKING'),
      task('WORKING'),
      task('COMPLETED'),
    ];
    const { sent, pauses } = await poll({ results });
    expect(sent).toMatchObject({ ok: true });
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 250]);
  });

  it('is lost after 6 failures in a row', async () => {
    const { sent, asked } = await poll({ results: [`{"task":${task('WORKING')}}`, 'no JSON'] });
    expect(sent).toMatchObject({ ok: false, error: { code: 'a2a_lost' } });
    expect(asked).toHaveLength(1 + 6);
  });
});

it('a completed task without artifacts and messages gives the last sentence about its state', async () => {
  const status =
    '{"state":"TASK_STATE_COMPLETED","message":{"messageId":"s","role":"ROLE_AGENT","parts":[{"text":"All done."}]}}';
  const { url } = await serve({ results: [`{"task":{"id":"T","contextId":"C","status":${status}}}`] });
  expect(await agents.send(a2aCard(url), message('go'), listen().context)).toEqual(
    ok({ text: 'All done.', taskId: 'T', contextId: 'C' }),
  );
});
