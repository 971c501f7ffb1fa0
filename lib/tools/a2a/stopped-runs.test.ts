import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import type { PeoplePort, Ports } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { execute } from '@/lib/runtime/run/execute';
import { remoteAgents } from '@/lib/testing/a2a/sample-calls';
import { type A2aServer, type A2aServerSettings, sharedServers } from '@/lib/testing/a2a/start-server';
import { type CollectedEvents, collectEvents } from '@/lib/testing/collect-events';
import { peopleDesk } from '@/lib/testing/people-desk';
import { projectOf } from '@/lib/testing/project-of';
import { scriptedModel } from '@/lib/testing/scripted-model';

const servers = sharedServers();
const raw: http.Server[] = [];
const oneHour = 3_600_000;

afterAll(() => servers.kill());
afterEach(() => {
  for (const server of raw.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Place {
  readonly url: string;
  readonly settings?: string;
  readonly message: string;
  readonly isChild: boolean;
  readonly people: PeoplePort;
  readonly log?: readonly RunEvent[];
}

/** Begins a run with a remote agent as its entry or as a child. Whoever waits for people keeps its worker while `people` says so. */
function begin({ url, settings = '', message, isChild, people, log = [] }: Place) {
  const far = `type: a2a\nurl: ${url}\n${settings}`;
  const cards: Record<string, string> = isChild
    ? { lead: 'default: true\nagents: [far]', far }
    : { far: `${far}\ndefault: true` };
  const call = { tool: 'agent__far', arguments: { text: message } };
  const events: CollectedEvents = collectEvents(systemClock, log.length);
  const remote = remoteAgents();
  const stop = new AbortController();
  const ports: Ports = {
    model: scriptedModel({ lead: [{ calls: [call] }, 'end'] }),
    tools: {},
    remote,
    people,
    events,
    clock: systemClock,
    newCorrelationId: () => brandAs<CorrelationId>('c1'),
  };
  const request = {
    runId: brandAs<RunId>('run'),
    correlationId: brandAs<CorrelationId>('c0'),
    agent: undefined,
    message,
    model: undefined,
  };
  const outcome = execute({ folder: new Map(), parsed: projectOf(cards), request, ports, log, signal: stop.signal });
  return { outcome, stop, remote, events };
}

/** Resolves when the log has an event of the kind. */
async function until(events: CollectedEvents, kind: RunEvent['kind']): Promise<void> {
  await expect.poll(() => events.events.map((event) => event.kind)).toContain(kind);
}

const ways: readonly [string, A2aServerSettings, string][] = [
  ['version 1.0 over JSON-RPC', {}, 'transport: JSONRPC'],
  ['version 1.0 over HTTP+JSON', {}, 'transport: HTTP+JSON'],
  ['version 0.3 over JSON-RPC', { legacy: true }, 'transport: JSONRPC'],
  ['version 1.0, polled', { streaming: false }, 'polling: true'],
  ['version 0.3, polled', { streaming: false, legacy: true }, 'polling: true'],
];
const places: readonly [string, boolean][] = [
  ['the entry', false],
  ['a child', true],
];

describe.each(ways)('a run that is stopped, %s', (_, settings, own) => {
  const cancelled = async (server: A2aServer) => (await server.seen()).cancelled;

  it.each(places)('cancels the task that works, once (%s)', async (_, isChild) => {
    const server = await servers.get(settings);
    const place = { url: server.url, settings: own, message: 'wait it', isChild };
    const { outcome, stop, remote, events } = begin({ ...place, people: peopleDesk(oneHour) });
    await until(events, 'workflow.decided');
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
    await expect.poll(() => cancelled(server)).toHaveLength(1);
    await remote.close();
    expect(await cancelled(server)).toHaveLength(1);
  });

  it.each(places)('cancels the task that waits for a person, once (%s)', async (_, isChild) => {
    const server = await servers.get(settings);
    const place = { url: server.url, settings: own, message: 'ask', isChild };
    const { outcome, stop, remote, events } = begin({ ...place, people: peopleDesk(oneHour) });
    await until(events, 'person.asked');
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
    await expect.poll(() => cancelled(server)).toHaveLength(1);
    await remote.close();
    expect(await cancelled(server)).toHaveLength(1);
  });

  it.each(places)('cancels the task while the run is suspended, and not before (%s)', async (_, isChild) => {
    const server = await servers.get(settings);
    const place = { url: server.url, settings: own, message: 'ask', isChild };
    const first = begin({ ...place, people: peopleDesk(0) });
    expect((await first.outcome).status).toBe('suspended');
    await first.remote.close();
    expect(await cancelled(server)).toEqual([]);
    const second = begin({ ...place, people: peopleDesk(0), log: first.events.events });
    second.stop.abort();
    expect((await second.outcome).status).toBe('cancelled');
    await expect.poll(() => cancelled(server)).toHaveLength(1);
    await second.remote.close();
    expect(await cancelled(server)).toHaveLength(1);
  });
});

describe('a remote agent whose task cannot be cancelled', () => {
  /** An agent of version 0.3 whose task is in `state`. `cancel` answers the cancellation, or does not. */
  async function serve(state: string, cancel: (response: http.ServerResponse, id: unknown) => void) {
    const asked: string[] = [];
    const server = http.createServer(async (request, response) => {
      const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      const { port } = server.address() as AddressInfo;
      if (request.method === 'GET') {
        const url = `http://127.0.0.1:${port}/a2a`;
        const card = { name: 'raw', description: 'x', version: '1', protocolVersion: '0.3.0', url, skills: [] };
        const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] };
        return void json({ ...card, ...modes, preferredTransport: 'JSONRPC', capabilities: { streaming: false } });
      }
      const { id, method } = JSON.parse(await text(request)) as { id: unknown; method: string };
      asked.push(method);
      if (method === 'tasks/cancel') return void cancel(response, id);
      const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Which?' }] };
      json({ jsonrpc: '2.0', id, result: { kind: 'task', id: 'T', contextId: 'C', status: { state, message } } });
    });
    raw.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  it.each<[string, string, (response: http.ServerResponse, id: unknown) => void]>([
    ['works and refuses', 'working', (response, id) => response.end(refusal(id))],
    ['works and does not answer', 'working', () => {}],
    ['works and breaks off', 'working', (response) => response.destroy()],
    ['waits and refuses', 'input-required', (response, id) => response.end(refusal(id))],
    ['waits and does not answer', 'input-required', () => {}],
  ])('%s: the run ends all the same, and asks once', async (_, state, cancel) => {
    const { url, asked } = await serve(state, cancel);
    const place = { url, settings: 'polling: true', message: 'go', isChild: true };
    const { outcome, stop, remote, events } = begin({ ...place, people: peopleDesk(oneHour) });
    await until(events, state === 'working' ? 'workflow.decided' : 'person.asked');
    stop.abort();
    expect((await outcome).status).toBe('cancelled');
    await expect.poll(() => asked).toContain('tasks/cancel');
    await remote.close();
    expect(asked.filter((method) => method === 'tasks/cancel')).toHaveLength(1);
  });
});

function refusal(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32002, message: 'This task cannot be cancelled.' } });
}
