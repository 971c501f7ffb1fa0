import { afterAll, describe, expect, it } from 'vitest';
import { err, ok } from '@/lib/base/result';
import { a2aCard, listen, message, remoteAgents } from '@/lib/testing/a2a/sample-calls';
import { type A2aServer, type A2aServerSettings, sharedServers } from '@/lib/testing/a2a/start-server';

let server: A2aServer;
const servers = sharedServers();
const agents = remoteAgents();

afterAll(() => servers.kill());

async function served(settings?: A2aServerSettings): Promise<void> {
  server = await servers.get(settings);
}

const ids = { taskId: expect.any(String), contextId: expect.any(String) };

describe('an agent of the official SDK in another process', () => {
  it.each([
    ['JSONRPC', '/a2a/jsonrpc'],
    ['HTTP+JSON', '/a2a/rest/message:stream'],
  ])('answers with a message over %s', async (transport, path) => {
    await served();
    const told = listen();
    expect(await agents.send(a2aCard(server.url, { transport }), message('echo hello'), told.context)).toEqual(
      ok({ text: 'echo hello [text]' }),
    );
    expect(told).toMatchObject({ states: [], texts: ['echo hello [text]'], logs: [] });
    const { requests, messages } = await server.seen();
    expect(requests.map((request) => request.path)).toEqual(['/.well-known/agent-card.json', path]);
    expect(messages).toEqual([{ messageId: 'lead/far[1]#m1', words: 'echo hello', kinds: ['text'] }]);
  });

  it.each(['JSONRPC', 'HTTP+JSON'])('streams the text and the states of a task over %s', async (transport) => {
    await served();
    const told = listen();
    expect(await agents.send(a2aCard(server.url, { transport }), message('task it'), told.context)).toEqual(
      ok({ text: 'Done: it', ...ids }),
    );
    expect(told).toMatchObject({
      states: ['submitted', 'working', 'completed'],
      texts: ['Done: ', 'it'],
      logs: [{ level: 'info', code: 'a2a_status', message: 'Thinking about it.' }],
    });
  });

  it.each([
    ['the agent does not stream', { streaming: false }, {}],
    ['the card forbids it', {}, { streaming: false }],
  ])('waits for the answer to one request when %s', async (_, settings, own) => {
    await served(settings);
    const told = listen();
    expect(await agents.send(a2aCard(server.url, own), message('task it'), told.context)).toEqual(
      ok({ text: 'Done: it', ...ids }),
    );
    expect(told.states).toEqual(['completed']);
    expect((await server.seen()).requests).toHaveLength(2);
  });

  it.each(['JSONRPC', 'HTTP+JSON'])('polls over %s', async (transport) => {
    await served({ streaming: false });
    const told = listen();
    const sent = agents.send(a2aCard(server.url, { transport, polling: true }), message('wait it'), told.context);
    await told.begun;
    expect(told.states).toContain('working');
    await server.release();
    expect(await sent).toEqual(ok({ text: 'first, it', ...ids }));
    expect(told.states.at(-1)).toBe('completed');
  });

  it('speaks version 0.3 to an agent that does', async () => {
    await served({ legacy: true });
    const told = listen();
    expect(await agents.send(a2aCard(server.url), message('task it'), told.context)).toEqual(
      ok({ text: 'Done: it', ...ids }),
    );
  });

  it('finds a card at another path', async () => {
    await served({ cardPath: '/deep/card.json' });
    const card = a2aCard(`${server.url}/deep/`, { relativeCardPath: '/card.json' });
    expect(await agents.send(card, message('echo hi'), listen().context)).toMatchObject({ ok: true });
    expect(await agents.send(a2aCard(server.url), message('echo hi'), listen().context)).toEqual(
      err({
        code: 'a2a_card',
        message: `Remote agent 'far' (${server.url}) has no agent card at ${server.url}/.well-known/agent-card.json (HTTP 404). Check url and relative_card_path in its card.`,
      }),
    );
  });

  it('sends files, links and JSON as parts', async () => {
    await served();
    const attachments = [
      { type: 'resource_link', uri: 'https://example.com/a.pdf', name: 'a.pdf' },
      { type: 'image', data: 'YWJj', mimeType: 'image/png' },
      { type: 'resource', uri: 'file:///x.json', mimeType: 'application/json', text: '{"a":1}' },
    ] as const;
    const sent = await agents.send(a2aCard(server.url), { text: 'echo look', attachments }, listen().context);
    expect(sent).toEqual(ok({ text: 'echo look [text,url,raw,data]' }));
  });

  it('reads links, data and files as text', async () => {
    await served();
    const sent = await agents.send(a2aCard(server.url), message('parts'), listen().context);
    expect(sent).toMatchObject({
      value: {
        text: [
          'files:',
          '[report.pdf](https://example.com/report.pdf) (application/pdf)',
          '```json\n{\n  "ok": true,\n  "count": 2\n}\n```',
          '[note.txt: 3 bytes text/plain]',
        ].join('\n'),
      },
    });
  });

  it('replaces an artifact that comes again, and continues one with append', async () => {
    await served();
    const told = listen();
    const sent = await agents.send(a2aCard(server.url), message('replace'), told.context);
    expect(sent).toMatchObject({ value: { text: 'final word\nagain' } });
    expect(told.texts).toEqual(['draft', '\nagain', ' word']);
  });

  it.each([
    ['failed', 'a2a_failed', 'failed.', 'Look at that agent, then run again.'],
    ['rejected', 'a2a_rejected', 'rejected its task.', 'Change the message, or choose another agent.'],
    ['canceled', 'a2a_canceled', 'cancelled its task.', 'Run again.'],
    [
      'input-required',
      'a2a_input_required',
      'asks for more input (input-required).',
      'Put what it asks for into the message.',
    ],
    [
      'auth-required',
      'a2a_auth_required',
      'asks for a sign-in (auth-required).',
      'Sign in at that agent, or add headers: to its card.',
    ],
  ])('a task that ends as %s is an error that says so', async (state, code, said, next) => {
    await served();
    const told = listen();
    const sent = await agents.send(a2aCard(server.url), message(state), told.context);
    const text = `Remote agent 'far' ${said} It says: This is why. Task ${told.task?.taskId}. ${next}`;
    expect(sent).toEqual(err({ code, message: text }));
    expect(told.states.at(-1)).toBe(state);
  });
});
