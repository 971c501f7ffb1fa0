import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { isRecord } from '@/lib/base/json';
import { err, ok } from '@/lib/base/result';
import { RunLeft } from '@/lib/base/run-left';
import { systemClock } from '@/lib/jobs/system-clock';
import { a2aCard, listen, message, remoteAgents } from '@/lib/testing/a2a/sample-calls';
import { type A2aServer, type A2aServerSettings, sharedServers } from '@/lib/testing/a2a/start-server';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { createRemoteAgents } from './remote-agents';

let server: A2aServer;
const servers = sharedServers();
const variable = `$\{FAR_TOKEN}`;
const agents = remoteAgents();

afterAll(() => servers.kill());

async function served(settings?: A2aServerSettings): Promise<void> {
  server = await servers.get(settings);
}

const ids = { taskId: expect.any(String), contextId: expect.any(String) };

describe('a task that asks back', () => {
  it.each([
    ['streamed', {}],
    ['blocking', { streaming: false }],
    ['polled', { streaming: false, polling: true }],
  ])('goes on with the answer, %s', async (_, own) => {
    await served();
    const card = a2aCard(server.url, own);
    const asked = await agents.send(card, message('ask'), { ...listen().context, takesQuestions: true });
    expect(asked).toEqual(
      ok({
        text: 'For which day?',
        ...ids,
        asks: { state: 'input-required', error: { code: 'a2a_input_required', message: expect.any(String) } },
      }),
    );
    if (!asked.ok || asked.value.taskId === undefined) throw new Error('it did not ask');
    const { taskId, contextId } = asked.value;
    const task = { taskId, ...(contextId !== undefined && { contextId }) };
    // Another worker looks at the task, and finds the same question.
    const again = { ...listen(task).context, takesQuestions: true };
    expect(await agents.send(card, message('ask'), again)).toEqual(asked);
    const reply = listen(task);
    const told = { ...reply.context, messageId: 'lead/far[1]#d2.answer', isReply: true, takesQuestions: true };
    expect(await agents.send(card, message('Monday'), told)).toEqual(ok({ text: 'Booked for Monday.', ...task }));
    expect(reply.states.at(-1)).toBe('completed');
    expect((await server.seen()).messages).toMatchObject([{ words: 'ask' }, { words: 'Monday' }]);
  });
});

describe('a connection that is lost', () => {
  it.each(['JSONRPC', 'HTTP+JSON'])('subscribes again over %s, and sends the message once', async (transport) => {
    await served();
    const told = listen();
    const sent = agents.send(a2aCard(server.url, { transport }), message('wait it'), told.context);
    await told.begun;
    await server.drop();
    await expect.poll(async () => (await server.seen()).requests.length).toBeGreaterThan(3);
    await server.release();
    expect(await sent).toEqual(ok({ text: 'first, it', ...ids }));
    expect(told.states).toEqual(['submitted', 'working', 'completed']);
    expect(told.texts.join('')).toBe('first, it');
    expect((await server.seen()).messages).toHaveLength(1);
  });

  it('names the task and its state when the server is gone', async () => {
    await served();
    const told = listen();
    const sent = agents.send(a2aCard(server.url), message('wait it'), told.context);
    await told.begun;
    await server.kill();
    const where = `connect ECONNREFUSED 127.0.0.1:${server.port}`;
    expect(await sent).toEqual(
      err({
        code: 'a2a_lost',
        message: `Remote agent 'far' (${server.url}) was lost while task ${told.task?.taskId} was working: it cannot be reached: ${where}. Check that it is running. Then run again.`,
      }),
    );
  });

  it('says so when the server was restarted and has forgotten the task', async () => {
    await served();
    const told = listen();
    const sent = agents.send(a2aCard(server.url), message('wait it'), told.context);
    await told.begun;
    const { port } = server;
    await server.kill();
    await served({ port });
    expect(await sent).toMatchObject({ error: { code: expect.stringMatching(/^a2a_(task_unknown|lost)$/) } });
    const later = listen(told.task);
    expect(await agents.send(a2aCard(server.url), message('wait it'), later.context)).toMatchObject({
      error: { code: 'a2a_task_unknown' },
    });
  });

  it('an agent that was never there cannot be reached', async () => {
    const { url, close } = await plainServer((_, response) => response.end());
    close();
    const sent = await agents.send(a2aCard(url), message('echo'), listen().context);
    expect(sent).toEqual(
      err({
        code: 'a2a_unreachable',
        message: `Remote agent 'far' (${url}) cannot be reached: connect ECONNREFUSED ${new URL(url).host}. Check that it is running.`,
      }),
    );
  });
});

describe('a task that was recorded before a crash', () => {
  it.each([
    ['streaming', {}],
    ['polling', { streaming: false, polling: true }],
  ])('is awaited by %s, and no message is sent', async (_, own) => {
    await served();
    const first = listen();
    const left = remoteAgents();
    const begun = left.send(a2aCard(server.url), message('wait it'), first.context);
    await first.begun;
    left.leave();
    first.stop.abort();
    expect(await begun).toMatchObject({ error: { code: 'cancelled' } });
    const second = listen(first.task);
    const sent = agents.send(a2aCard(server.url, own), message('wait it'), second.context);
    await second.begun;
    await server.release();
    expect(await sent).toEqual(ok({ text: 'first, it', ...ids }));
    const { messages, cancelled } = await server.seen();
    expect({ messages: messages.length, cancelled }).toEqual({ messages: 1, cancelled: [] });
  });

  it('that has ended meanwhile gives its answer', async () => {
    await served();
    const first = listen();
    await agents.send(a2aCard(server.url), message('task it'), first.context);
    const second = listen(first.task);
    expect(await agents.send(a2aCard(server.url), message('task it'), second.context)).toEqual(
      ok({ text: 'Done: it', ...ids }),
    );
    expect(second.states).toEqual(['completed']);
  });
});

describe('a call that is stopped', () => {
  it.each([
    ['streaming', {}],
    ['polling', { streaming: false, polling: true }],
  ])('cancels the remote task while %s', async (_, own) => {
    await served();
    const told = listen();
    const own1 = remoteAgents();
    const sent = own1.send(a2aCard(server.url, own), message('wait it'), told.context);
    await told.begun;
    told.stop.abort();
    expect(await sent).toEqual(err({ code: 'cancelled', message: "The call of remote agent 'far' was cancelled." }));
    await own1.close();
    expect((await server.seen()).cancelled).toEqual([told.task?.taskId]);
  });

  it('before it began sends nothing', async () => {
    await served();
    const told = listen();
    told.stop.abort();
    expect(await agents.send(a2aCard(server.url), message('echo'), told.context)).toMatchObject({
      error: { code: 'cancelled' },
    });
    expect((await server.seen()).requests).toEqual([]);
  });

  it.each([
    ['cancels the task of an earlier worker', undefined, 1],
    ['leaves the task alone if the run goes on elsewhere', new RunLeft(), 0],
  ])('before it began %s, also when the run ends at once', async (_, reason, times) => {
    await served();
    const first = listen();
    const left = remoteAgents();
    const begun = left.send(a2aCard(server.url), message('wait it'), first.context);
    await first.begun;
    left.leave();
    first.stop.abort();
    await begun;
    const second = listen(first.task);
    second.stop.abort(reason);
    const guard = createAddressGuard(undefined);
    const later = createRemoteAgents({ clock: systemClock, guard, projectEnv: {}, secrets: [] });
    const sent = later.send(a2aCard(server.url), message('wait it'), second.context);
    await later.close();
    expect((await server.seen()).cancelled).toHaveLength(times);
    expect(await sent).toMatchObject({ error: { code: 'cancelled' } });
    expect((await server.seen()).cancelled).toHaveLength(times);
  });
});

describe('an agent that says nothing', () => {
  it.each([true, false])('is given up after request_timeout_seconds (streaming: %s)', async (streaming) => {
    await served();
    const card = a2aCard(server.url, { requestTimeoutSeconds: 1, streaming });
    expect(await agents.send(card, message('mute'), listen().context)).toEqual(
      err({
        code: 'a2a_timeout',
        message: `Remote agent 'far' (${server.url}) sent nothing for 1 s. Raise request_timeout_seconds, or let it stream.`,
      }),
    );
  });

  it('while its task works, is asked for the task and goes on', async () => {
    await served();
    const told = listen();
    const card = a2aCard(server.url, { requestTimeoutSeconds: 1 });
    const sent = agents.send(card, message('wait it'), told.context);
    await told.begun;
    await expect.poll(async () => (await server.seen()).requests.length).toBeGreaterThan(3);
    await server.release();
    expect(await sent).toEqual(ok({ text: 'first, it', ...ids }));
  });
});

describe('what is sent to whom', () => {
  it('sends headers with variables, and refused credentials name the header', async () => {
    await served({ token: 'sesame-1234' });
    const card = a2aCard(server.url, { headers: { Authorization: `Bearer ${variable}` } });
    const sent = await remoteAgents({ FAR_TOKEN: 'sesame-1234' }).send(card, message('echo hi'), listen().context);
    expect(sent).toEqual(ok({ text: 'echo hi [text]' }));
    expect(await remoteAgents({ FAR_TOKEN: 'wrong-12345' }).send(card, message('echo hi'), listen().context)).toEqual(
      err({
        code: 'a2a_auth',
        message: `Remote agent 'far' (${server.url}) refuses the request (HTTP 401). Check the values of Authorization in its card. A browser sign-in is not supported.`,
      }),
    );
    expect(await agents.send(a2aCard(server.url), message('echo hi'), listen().context)).toMatchObject({
      error: { message: expect.stringContaining('Add headers: to its card.') },
    });
    expect(await agents.send(card, message('echo hi'), listen().context)).toEqual(
      err({
        code: 'a2a_settings',
        message:
          "Remote agent 'far' cannot be called: it asks for the variable FAR_TOKEN, which this installation does not give to projects. Set FAR_TOKEN as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.",
      }),
    );
  });

  it('hides the secret in answers, live text and logs', async () => {
    await served();
    const told = listen();
    const card = a2aCard(server.url, { headers: { Authorization: `Bearer ${variable}` } });
    const sent = await remoteAgents({ FAR_TOKEN: 'sesame-1234' }).send(card, message('leak'), told.context);
    expect(sent).toMatchObject({ value: { text: 'You sent Bearer ***' } });
    expect(JSON.stringify(told)).not.toContain('sesame');
    expect(told.logs.map((log) => log.message)).toEqual(['I was sent Bearer ***']);
  });

  it('calls no other server than that of the card', async () => {
    const elsewhere = 'http://127.0.0.1:1/a2a';
    const { url, close } = await cardServer(cardWith({ url: elsewhere, protocolBinding: 'JSONRPC' }));
    expect(await agents.send(a2aCard(url), message('echo hi'), listen().context)).toMatchObject({
      error: { code: 'a2a_address', message: expect.stringContaining('http://127.0.0.1:1') },
    });
    close();
  });

  it('takes other names of this machine for the same server', async () => {
    await served();
    const local = server.url.replace('127.0.0.1', 'localhost');
    expect(await agents.send(a2aCard(local), message('echo hi'), listen().context)).toEqual(
      ok({ text: 'echo hi [text]' }),
    );
  });

  it('follows no redirect', async () => {
    const location = 'http://127.0.0.1:1/';
    const { url, close } = await plainServer((_, response) => response.writeHead(307, { location }).end());
    expect(await agents.send(a2aCard(url), message('echo hi'), listen().context)).toMatchObject({
      error: { code: 'a2a_address', message: expect.stringContaining('redirects to http://127.0.0.1:1/') },
    });
    close();
  });

  it('calls no metadata service', async () => {
    const card = a2aCard('http://169.254.169.254/latest');
    expect(await agents.send(card, message('echo hi'), listen().context)).toMatchObject({
      error: { code: 'a2a_address', message: expect.stringContaining('cloud metadata') },
    });
  });

  it.each([
    [
      'ftp://example.com',
      "'ftp://example.com' is not an http or https URL. Write one that starts with https:// after url, such as https://example.com.",
    ],
    ['nowhere', "'nowhere' is not a URL. Write one that starts with https:// after url, such as https://example.com."],
  ])('refuses the url %s', async (url, said) => {
    expect(await agents.send(a2aCard(url), message('echo hi'), listen().context)).toEqual(
      err({ code: 'a2a_settings', message: `Remote agent 'far' cannot be called: ${said}` }),
    );
  });
});

describe('an agent that does not keep to the protocol', () => {
  it.each([['not JSON'], ['[]'], ['{"name":"x"}'], ['{"name":"x","supportedInterfaces":[]}'], ['null'], ['3']])(
    'refuses the card %s',
    async (wrongCard) => {
      const { url, close } = await cardServer(wrongCard);
      expect(await agents.send(a2aCard(url), message('echo hi'), listen().context)).toMatchObject({
        error: { code: 'a2a_card', message: expect.stringContaining('is not an agent card') },
      });
      close();
    },
  );

  it('names the transports that it offers', async () => {
    const { url, close } = await cardServer(cardWith({ url: 'grpc://x', protocolBinding: 'GRPC' }));
    expect(await agents.send(a2aCard(url), message('echo hi'), listen().context)).toMatchObject({
      error: {
        code: 'a2a_card',
        message: expect.stringContaining('offers GRPC, but JSONRPC or HTTP+JSON is needed'),
      },
    });
    close();
  });

  it('stops at an answer that is too long', async () => {
    await served();
    expect(await agents.send(a2aCard(server.url), message('big'), listen().context)).toMatchObject({
      error: { code: 'a2a_answer_too_large', message: expect.stringContaining('more than 8,388,608 characters') },
    });
    const small = remoteAgents({}, [], 5);
    expect(await small.send(a2aCard(server.url), message('echo hello'), listen().context)).toMatchObject({
      error: { code: 'a2a_answer_too_large' },
    });
  });

  it('tells a limited number of its states', async () => {
    await served();
    const told = listen();
    expect(await agents.send(a2aCard(server.url), message('flood'), told.context)).toEqual(
      ok({ text: 'done', ...ids }),
    );
    expect(told.states.length + told.logs.length).toBe(101);
    expect(told.states.at(-1)).toBe('completed');
  });

  it('takes a message although the stream breaks after it', async () => {
    const said = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hello' }] };
    const odd = await oddServer('JSONRPC', (response, id) => {
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { message: said } })}\n\n`, () =>
        response.destroy(),
      );
    });
    try {
      expect(await agents.send(a2aCard(odd.url), message('hi'), listen().context)).toEqual(ok({ text: 'hello' }));
    } finally {
      odd.close();
    }
  });

  it.each(['JSONRPC', 'HTTP+JSON'])('refuses events that are not JSON over %s', async (transport) => {
    const { url, close } = await oddServer(transport, (response) => response.end('data: secret nonsense\n\n'));
    try {
      expect(await agents.send(a2aCard(url), message('echo'), listen().context)).toEqual(
        err({ code: 'a2a_bad_answer', message: `Remote agent 'far' (${url}) sent an event that is not JSON.` }),
      );
    } finally {
      close();
    }
  });
});

/** A server with an agent card that answers each request with a stream of its own. */
async function oddServer(
  transport: string,
  answer: (response: http.ServerResponse, id: unknown) => void,
): Promise<{ readonly url: string; close(): void }> {
  return await plainServer(async (request, response) => {
    const url = `http://${request.headers.host}`;
    if (request.method === 'GET') return response.end(cardWith({ url, protocolBinding: transport }));
    const body: unknown = JSON.parse(await text(request));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return answer(response, isRecord(body) ? body.id : undefined);
  });
}

function cardWith(offered: { readonly url: string; readonly protocolBinding: string }): string {
  return JSON.stringify({ name: 'odd', supportedInterfaces: [offered], capabilities: { streaming: true } });
}

/** A server that has this text as its agent card, and nothing else. */
async function cardServer(card: string) {
  return await plainServer((_, response) => response.setHeader('content-type', 'application/json').end(card));
}

/** A server in this process, for what the official SDK does not do. */
async function plainServer(answer: http.RequestListener): Promise<{ readonly url: string; close(): void }> {
  const plain = http.createServer(answer);
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const address = plain.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return { url, close: () => void plain.close() };
}
