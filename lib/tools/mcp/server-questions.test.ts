import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ItemEnd, PersonAnswer } from '@/lib/base/pending';
import { systemClock } from '@/lib/jobs/system-clock';
import type { AskedByServer, LogBody, ModelResponse, SampleRequest } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed, writeServer } from '@/lib/testing/mcp-servers';
import { ended } from '@/lib/testing/people-desk';
import { createMcpPool, type McpPool } from './pool';

let root: string;
let pool: McpPool;
let logs: LogBody[];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-'));
  logs = [];
  pool = createMcpPool({ clock: systemClock, log: (body) => logs.push(body), env: { PATH: process.env.PATH } });
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

const asking = `server.registerTool('elicit', { inputSchema: { params: z.any() } }, async ({ params }) => text(JSON.stringify(await server.server.elicitInput(params).catch((error) => error.message))));
server.registerTool('sample', {}, async () => text(JSON.stringify(await server.server.createMessage({ systemPrompt: 'Be short', maxTokens: 50, messages: [{ role: 'user', content: { type: 'text', text: 'My password is 1234. Why?' } }, { role: 'user', content: { type: 'image', data: 'aaaa', mimeType: 'image/png' } }] }).catch((error) => error.code + ' ' + error.message))));`;

const form = {
  type: 'object',
  properties: {
    city: { type: 'string', enum: ['Oslo', 'Bergen'], default: 'Oslo' },
    days: { type: 'integer', minimum: 1 },
    quiet: { type: 'boolean' },
  },
  required: ['city'],
};

type Person = (asked: AskedByServer) => Partial<PersonAnswer> | ItemEnd | undefined;

/** Calls a tool of a server that may ask people, or use a model after people were asked. */
async function call(name: string, params: object, person: Person | undefined, sampled: SampleRequest[] = []) {
  const own = await writeServer(root, asking);
  const consentOf = () => ({ sampling: 'ask' as const, elicitation: true });
  const port = pool.port({ config: configOf({ own }), root, consentOf });
  const { tools } = await port.list(agentCard('lead', { servers: ['own'] }), new AbortController().signal);
  const asked: AskedByServer[] = [];
  const context = callContext({
    ...(person && {
      ask(one: AskedByServer) {
        asked.push(one);
        const answer = person(one) ?? {};
        return Promise.resolve('outcome' in answer ? answer : ended(answer));
      },
    }),
    sample(request: SampleRequest): Promise<ModelResponse> {
      sampled.push(request);
      const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
      const content = [{ type: 'text' as const, text: 'Because.' }];
      return Promise.resolve({
        ok: true,
        message: { role: 'assistant', content, toolCalls: [], stopReason: 'end_turn' },
        usage,
        requests: 1,
      });
    },
  });
  const result = await port.call(toolNamed(tools, `own__${name}`), { params: { ...params } }, context);
  return { got: textOf(result.content), asked };
}

const city = { message: 'Which city?', requestedSchema: form };

describe('a question of a server', () => {
  test('has its server, its text and its form, and the answer reaches the server', async () => {
    const { got, asked } = await call('elicit', city, () => ({
      decision: 'answer',
      content: { city: 'Bergen', days: 2, quiet: false },
    }));
    expect(asked).toMatchObject([
      {
        what: 'question',
        server: { serverName: 'own', message: 'Which city?', waits: true },
        form: { ...form, additionalProperties: false },
      },
    ]);
    expect(JSON.parse(got)).toEqual({ action: 'accept', content: { city: 'Bergen', days: 2, quiet: false } });
  });

  test.each<[string, Partial<PersonAnswer> | ItemEnd, string]>([
    ['declined', { decision: 'deny' }, 'decline'],
    ['dismissed', { decision: 'cancel' }, 'cancel'],
    ['left open too long', { outcome: 'expired' }, 'cancel'],
    ['withdrawn', { outcome: 'withdrawn' }, 'cancel'],
  ])('that is %s', async (_, answer, action) => {
    expect(JSON.parse((await call('elicit', city, () => answer)).got)).toEqual({ action });
  });

  test('is declined where nobody can answer', async () => {
    expect(JSON.parse((await call('elicit', city, undefined)).got)).toEqual({ action: 'decline' });
    expect(logs.map(({ message }) => message)).toContain(
      "Server 'own' asks the user 'Which city?'. It was declined, because nobody can answer in this run.",
    );
  });

  test('with fields like secrets is asked with a warning', async () => {
    const schema = { type: 'object', properties: { api_key: { type: 'string' }, name: { type: 'string' } } };
    const { asked } = await call('elicit', { message: 'Who?', requestedSchema: schema }, () => ({ decision: 'deny' }));
    expect(asked).toHaveLength(1);
    expect(logs).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        message: expect.stringMatching(/It asks for api_key, which a form/),
      }),
    );
  });

  test('about an address shows it, and opens nothing', async () => {
    const seen: (string | undefined)[] = [];
    const web = createServer(({ url }, response) => {
      seen.push(url);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    const { port } = web.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/sign-in`;
    const params = { mode: 'url', message: 'Sign in', elicitationId: 'e1', url };
    const { got, asked } = await call('elicit', params, () => ({ decision: 'approve' }));
    expect(asked).toMatchObject([{ server: { url, message: 'Sign in' } }]);
    expect(asked[0]?.form).toBeUndefined();
    expect(JSON.parse(got)).toEqual({ action: 'accept' });
    expect(seen).toEqual([]);
    await new Promise((resolve) => web.close(resolve));
  });

  test('about something that is no web address is declined, and nobody is asked', async () => {
    const params = { mode: 'url', message: 'Look', elicitationId: 'e1', url: 'file:///etc/passwd' };
    const { got, asked } = await call('elicit', params, () => ({ decision: 'approve' }));
    expect([JSON.parse(got), asked]).toEqual([{ action: 'decline' }, []]);
  });
});

describe('a server that asks a model', () => {
  test('a person sees and changes the prompt, and then what the server gets', async () => {
    const sampled: SampleRequest[] = [];
    const { got, asked } = await call(
      'sample',
      {},
      ({ server }): Partial<PersonAnswer> =>
        server.shows === 'prompt'
          ? {
              decision: 'edit',
              arguments: {
                system: 'Be kind',
                messages: [
                  { role: 'user', text: 'Why?' },
                  { role: 'user', text: 'Look:\n[image image/png]' },
                ],
              },
            }
          : { decision: 'edit', arguments: { text: 'Because it is so.' } },
      sampled,
    );
    expect(asked.map(({ what, server, arguments: args, editable }) => [what, server.shows, args, editable])).toEqual([
      [
        'sampling',
        'prompt',
        {
          system: 'Be short',
          messages: [
            { role: 'user', text: 'My password is 1234. Why?' },
            { role: 'user', text: '[image image/png]' },
          ],
        },
        true,
      ],
      ['sampling', 'result', { text: 'Because.' }, true],
    ]);
    expect(sampled).toMatchObject([
      {
        instruction: 'Be kind',
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look:' },
              { type: 'image', data: 'aaaa' },
            ],
          },
        ],
      },
    ]);
    expect(JSON.parse(got)).toMatchObject({ content: { type: 'text', text: 'Because it is so.' } });
  });

  test('a refusal of the prompt asks no model, and one of the answer does not give it away', async () => {
    for (const shows of ['prompt', 'result']) {
      const sampled: SampleRequest[] = [];
      const { got } = await call(
        'sample',
        {},
        ({ server }) => ({ decision: server.shows === shows ? 'deny' : 'approve' }),
        sampled,
      );
      expect(got).toMatch(/^"-1 .*User rejected sampling request"$/);
      expect(sampled).toHaveLength(shows === 'prompt' ? 0 : 1);
    }
  });

  test('is refused where nobody can be asked', async () => {
    const sampled: SampleRequest[] = [];
    expect((await call('sample', {}, undefined, sampled)).got).toMatch(/User rejected/);
    expect(sampled).toEqual([]);
  });
});
