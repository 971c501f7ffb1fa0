import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { systemClock } from '@/lib/jobs/system-clock';
import type { LogBody, ModelResponse, SampleRequest, ToolCallContext } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, modulePath, toolNamed, writeServer } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool, type McpPort, type McpScope } from './pool';

let root: string;
let pool: McpPool;
let logs: LogBody[];
const signal = new AbortController().signal;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-mcp-'));
  logs = [];
  pool = createMcpPool({ clock: systemClock, log: (body) => logs.push(body), env: { PATH: process.env.PATH } });
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

type Server = Parameters<typeof configOf>[0][string];

async function own(
  source: string,
  { server, scope, instructions }: { server?: Server; scope?: Partial<McpScope>; instructions?: string } = {},
): Promise<McpPort> {
  const command = await writeServer(root, source, instructions === undefined ? {} : { instructions });
  return pool.port({ config: configOf({ own: { ...command, ...server } }), root, ...scope });
}

const lead = (fields: Partial<AgentCard> = {}) => agentCard('lead', { servers: ['own'], ...fields });

async function names(port: McpPort, fields: Partial<AgentCard> = {}): Promise<readonly string[]> {
  const { tools, issues } = await port.list(lead(fields), signal);
  expect(issues).toEqual([]);
  return tools.map(({ name }) => name);
}

async function call(
  port: McpPort,
  name: string,
  args: Record<string, string> = {},
  context: Partial<ToolCallContext> = {},
  fields: Partial<AgentCard> = {},
) {
  const { tools } = await port.list(lead(fields), signal);
  return port.call(toolNamed(tools, `own__${name}`), args, callContext(context));
}

const library = `server.registerTool('add', {}, () => text('sum'));
server.registerResource('guide', 'docs://guide', { description: 'How to', mimeType: 'text/plain' }, (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Read me' }] }));
server.registerResource('secret', 'private://plan', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'no' }] }));
server.registerResource('dot', 'docs://dot', { mimeType: 'image/png' }, (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: 'AAAA' }] }));
server.registerResource('page', new ResourceTemplate('docs://page/{n}', { list: undefined }), {}, (uri, { n }) => ({ contents: [{ uri: uri.href, text: 'Page ' + n }] }));
server.registerPrompt('greet', { description: 'Says hello', argsSchema: { who: z.string() } }, ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Greet ' + who } }] }));
server.registerPrompt('talk', {}, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }, { role: 'assistant', content: { type: 'text', text: 'Hello' } }] }));`;

describe('resources', () => {
  test('are listed and read with tools of their server', async () => {
    const port = await own(library);
    expect(await names(port)).toEqual(['own__add', 'own__list_resources', 'own__read_resource', 'own__get_prompt']);
    expect(textOf((await call(port, 'list_resources')).content)).toBe(
      [
        'docs://guide [text/plain] guide: How to',
        'private://plan secret',
        'docs://dot [image/png] dot',
        'docs://page/{n} (template: fill in the braces) page',
      ].join('\n'),
    );
    expect(await call(port, 'read_resource', { uri: 'docs://guide' })).toEqual({
      content: [{ type: 'resource', uri: 'docs://guide', mimeType: 'text/plain', text: 'Read me' }],
      isError: false,
    });
    expect(textOf((await call(port, 'read_resource', { uri: 'docs://page/7' })).content)).toBe('Page 7');
    expect((await call(port, 'read_resource', { uri: 'docs://dot' })).content).toEqual([
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    expect(await call(port, 'read_resource', { uri: 'docs://none' })).toMatchObject({ errorCode: 'TOOL_FAILED' });
    expect(await call(port, 'read_resource')).toMatchObject({ errorCode: 'INPUT_VALIDATION' });
  });

  test('are filtered by globs on their URIs', async () => {
    const port = await own(library);
    const card = { resources: { own: ['docs://g*', 'docs://page/*'] } };
    expect(textOf((await call(port, 'list_resources', {}, {}, card)).content)).toBe(
      'docs://guide [text/plain] guide: How to\ndocs://page/{n} (template: fill in the braces) page',
    );
    expect(await call(port, 'read_resource', { uri: 'private://plan' }, {}, card)).toMatchObject({
      errorCode: 'NOT_ALLOWED',
    });
    expect(textOf((await call(port, 'read_resource', { uri: 'docs://page/2' }, {}, card)).content)).toBe('Page 2');
  });

  test('a card that hides them, or filters tools without naming them, is not offered their tools', async () => {
    const port = await own(library);
    expect(await names(port, { resources: { own: [] }, prompts: { own: [] } })).toEqual(['own__add']);
    expect(await names(port, { tools: { own: ['add'] } })).toEqual(['own__add']);
    expect(await names(port, { tools: { own: [] } })).toEqual([]);
    expect(await names(port, { tools: { own: ['add', 'read_*'] } })).toEqual(['own__add', 'own__read_resource']);
    expect(await names(port, { tools: { own: [] }, resources: { own: ['*'] } })).toEqual([
      'own__list_resources',
      'own__read_resource',
    ]);
  });

  test('a tool of the server’s own keeps its name', async () => {
    const port = await own(`${library}\nserver.registerTool('read_resource', {}, () => text('mine'));`);
    expect((await names(port)).filter((name) => name === 'own__read_resource')).toHaveLength(1);
    expect(textOf((await call(port, 'read_resource')).content)).toBe('mine');
  });
});

describe('prompts', () => {
  test('are described, filtered and got', async () => {
    const port = await own(library);
    const { tools } = await port.list(lead(), signal);
    expect(toolNamed(tools, 'own__get_prompt').description).toBe(
      "Get a prompt of server 'own':\n- greet(who): Says hello\n- talk()",
    );
    const greeting = await port.call(
      toolNamed(tools, 'own__get_prompt'),
      { name: 'greet', arguments: { who: 'Ada' } },
      callContext(),
    );
    expect(greeting.content).toEqual([{ type: 'text', text: 'Greet Ada' }]);
    expect(textOf((await call(port, 'get_prompt', { name: 'talk' })).content)).toBe('[user]\nHi\n[assistant]\nHello');
    const card = { prompts: { own: ['gr*'] } };
    expect(await call(port, 'get_prompt', { name: 'talk' }, {}, card)).toMatchObject({ errorCode: 'INPUT_VALIDATION' });
    expect(await names(port, { prompts: { own: ['x*'] } })).not.toContain('own__get_prompt');
  });

  test('a real server has them too', async () => {
    const everything = modulePath('@modelcontextprotocol/server-everything/dist/index.js');
    const port = pool.port({ config: configOf({ own: { command: 'node', args: [everything] } }), root });
    const list = textOf((await call(port, 'list_resources')).content);
    const uri = list
      .split('\n')
      .find((line) => line.startsWith('demo://'))
      ?.split(' ')[0];
    expect(textOf((await call(port, 'read_resource', { uri: uri ?? '' })).content)).not.toBe('');
    expect((await call(port, 'get_prompt', { name: 'simple-prompt' })).isError).toBe(false);
    const told = await port.instructions?.(lead(), signal);
    expect(told?.[0]).toMatchObject({ serverName: 'own', text: expect.stringContaining('#') });
  });
});

describe('results', () => {
  test('keep structured content and its schema, and structured content alone is given to the model as text', async () => {
    const port = await own(`const outputSchema = { n: z.number() };
server.registerTool('both', { outputSchema }, () => ({ ...text('one'), structuredContent: { n: 1 } }));
server.registerTool('alone', { outputSchema }, () => ({ content: [], structuredContent: { n: 2 } }));`);
    const { tools } = await port.list(lead(), signal);
    expect(toolNamed(tools, 'own__both').outputSchema).toMatchObject({ properties: { n: { type: 'number' } } });
    expect(await call(port, 'both')).toEqual({
      content: [{ type: 'text', text: 'one' }],
      isError: false,
      structuredContent: { n: 1 },
    });
    expect((await call(port, 'alone')).content).toEqual([{ type: 'text', text: '{"n":2}' }]);
  });

  test('hide secrets of the environment and of the secrets file', async () => {
    const port = await own(
      `server.registerTool('env', {}, () => ({ ...text(process.env.API_KEY + ' ' + process.env.PLACE), structuredContent: { at: [process.env.API_KEY] } }));
server.registerTool('fail', {}, () => { console.error('key ' + process.env.API_KEY); throw new Error('bad ' + process.env.API_KEY); });`,
      { server: { env: { API_KEY: 'hush-hush-hush', PLACE: 'elsewhere' } }, scope: { secrets: ['elsewhere'] } },
    );
    expect(await call(port, 'env')).toMatchObject({
      content: [{ text: '*** ***' }],
      structuredContent: { at: ['***'] },
    });
    expect(textOf((await call(port, 'fail')).content)).toBe('bad ***');
    await expect.poll(() => logs.map(({ message }) => message)).toContain('key ***');
    expect(JSON.stringify(logs)).not.toContain('hush-hush');
  });

  test('hide a key of several lines in each form in which a server writes it', async () => {
    const lines = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'AgEAAoIBAQCsecondLineOfTheKey012'];
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
    const port = await own(
      `server.registerTool('show', {}, () => {
  const key = process.env.API_KEY;
  console.error(key);
  console.error('json ' + JSON.stringify({ key }));
  const basic = Buffer.from('ann:' + key).toString('base64');
  const forms = ['whole ' + key, JSON.stringify(JSON.stringify({ key })), key.replaceAll('\\n', '\\r\\n  '), encodeURIComponent(key), 'Basic ' + basic];
  return { content: [...forms.map((text) => ({ type: 'text', text })), { type: 'resource_link', uri: 'http://localhost/?k=' + encodeURIComponent(key), name: 'link' }] };
});`,
      { server: { env: { API_KEY: key } } },
    );
    const shown = JSON.stringify(await call(port, 'show'));
    await expect.poll(() => logs.map(({ message }) => message)).toContain('json {"key":"***\\n"}');
    for (const line of [...lines, ...lines.map((each) => Buffer.from(each).toString('base64').slice(4, -4))]) {
      expect(shown + JSON.stringify(logs)).not.toContain(line);
    }
    expect(shown).toContain('whole ***');
    expect(shown).toContain('http://localhost/?k=');
  });
});

describe('progress', () => {
  test('becomes log lines, few of a flood, and the last is heard', async () => {
    const port = await own(`server.registerTool('work', {}, async (extra) => {
  const progressToken = extra._meta?.progressToken;
  for (let progress = 1; progress <= 500; progress += 1) await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 500, message: 'step ' + progress } });
  return text('done');
});`);
    const seen: LogBody[] = [];
    const result = await call(port, 'work', {}, { log: (body) => seen.push(body) });
    expect(textOf(result.content)).toBe('done');
    const notes = seen.filter(({ code }) => code === 'tool_progress');
    expect(notes[0]).toEqual({
      level: 'info',
      code: 'tool_progress',
      message: '1 of 500: step 1',
      serverName: 'own',
      progress: { done: 1, total: 500 },
    });
    expect(notes.at(-1)?.progress).toEqual({ done: 500, total: 500 });
    expect(notes.length).toBeLessThan(100);
  });

  test('keeps a call within its read timeout', async () => {
    const port = await own(
      `server.registerTool('work', {}, async (extra) => {
  for (let progress = 1; progress <= 10; progress += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: extra._meta?.progressToken, progress } });
  }
  return text('done');
});`,
      { server: { readTimeoutSeconds: 2 } },
    );
    expect(textOf((await call(port, 'work')).content)).toBe('done');
  });
});

const allowSampling = { consentOf: () => ({ sampling: 'allow' as const, elicitation: false }) };

const asking = `server.registerTool('elicit', {}, async () => text(JSON.stringify(await server.server.elicitInput({ message: 'Which city?', requestedSchema: { type: 'object', properties: { city: { type: 'string' } } } }).catch((error) => error.message))));
server.registerTool('sample', {}, async () => text(JSON.stringify(await server.server.createMessage({ systemPrompt: 'Be short', maxTokens: 50, temperature: 0.5, messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }] }).catch((error) => error.message))));
server.registerTool('roots', {}, async () => text(JSON.stringify(await server.server.listRoots().catch((error) => error.message))));
server.registerTool('raw', {}, async (extra) => text(await extra.sendRequest({ method: 'sampling/createMessage', params: { maxTokens: 1, messages: [] } }, types.CreateMessageResultSchema).then(() => 'answered', (error) => error.message)));
server.registerTool('level', {}, async () => { await server.server.sendLoggingMessage({ level: 'debug', data: 'small talk' }); await server.server.sendLoggingMessage({ level: 'info', data: 'news' }); return text('ok'); });`;

describe('what servers ask', () => {
  test.each([
    [
      'forms',
      '{"action":"decline"}',
      'warning',
      /'Which city\?'\. It was declined\. To let people answer, write 'mcp: \{elicitation: ask\}'/,
    ],
    [
      'auto-cancel',
      '{"action":"cancel"}',
      'info',
      /'Which city\?'\. It was cancelled, as 'elicitation\.mode: auto-cancel'/,
    ],
  ] as const)('elicitation mode %s', async (elicitation, answer, level, message) => {
    const port = await own(asking, { server: { elicitation } });
    expect(textOf((await call(port, 'elicit')).content)).toBe(answer);
    expect(logs).toContainEqual(
      expect.objectContaining({ level, code: 'server_elicitation', message: expect.stringMatching(message) }),
    );
  });

  test('elicitation mode none is not offered', async () => {
    const port = await own(asking, { server: { elicitation: 'none' } });
    expect(textOf((await call(port, 'elicit')).content)).toMatch(/does not support/);
  });

  test('roots are offered as configured', async () => {
    const roots = [{ uri: 'file:///data', name: 'Data' }];
    const port = await own(asking, { server: { roots } });
    expect(JSON.parse(textOf((await call(port, 'roots')).content))).toEqual({ roots });
  });

  test('sampling is refused unless the project allows it', async () => {
    const port = await own(asking);
    expect(textOf((await call(port, 'sample')).content)).toMatch(/is not offered by this client/);
    expect(textOf((await call(port, 'raw')).content)).toMatch(/is not offered by this client/);
    expect(logs.find(({ code }) => code === 'server_request_refused')?.message).toBe(
      "Server 'own' asks for 'sampling/createMessage', which is refused. To let servers use a model, write 'mcp: {sampling: allow}' into callboard.yaml.",
    );
  });

  test('sampling is answered by the run that calls, and each run has a server of its own', async () => {
    const ports = [0, 1].map(() => own(asking, { server: { samplingModel: 'cheap' }, scope: allowSampling }));
    const asked: SampleRequest[] = [];
    for (const [index, port] of (await Promise.all(ports)).entries()) {
      const sample = (request: SampleRequest): Promise<ModelResponse> => {
        asked.push(request);
        return Promise.resolve({
          ok: true,
          message: {
            role: 'assistant',
            content: [{ type: 'text', text: `Because ${index}` }],
            toolCalls: [],
            stopReason: 'max_tokens',
          },
          usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 },
          requests: 1,
        });
      };
      const { content } = await call(port, 'sample', {}, { sample });
      expect(JSON.parse(textOf(content))).toEqual({
        role: 'assistant',
        content: { type: 'text', text: `Because ${index}` },
        model: 'cheap',
        stopReason: 'maxTokens',
      });
    }
    expect(asked[0]).toEqual({
      model: 'cheap',
      instruction: 'Be short',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
      requestParams: { max_tokens: 50, temperature: 0.5 },
    });
    expect((await readFile(path.join(root, 'starts'), 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  test('closing a port ends the servers of its own', async () => {
    const port = await own(asking, { scope: allowSampling });
    expect(await names(port)).toHaveLength(5);
    await port.close();
    expect(await call(port, 'level')).toMatchObject({ errorCode: 'SERVER_UNAVAILABLE' });
  });

  test('the logging level is set to info', async () => {
    const port = await own(asking);
    await call(port, 'level');
    await expect.poll(() => logs.map(({ message }) => message)).toContain('news');
    expect(logs.map(({ message }) => message)).not.toContain('small talk');
  });
});

test('what a server says about itself is told, unless its settings say no', async () => {
  const instructions = 'Ask me about time.';
  const told = async (server: Server) => (await own('', { server, instructions })).instructions?.(lead(), signal);
  expect(await told({})).toEqual([{ serverName: 'own', text: instructions }]);
  expect(await told({ includeInstructions: false })).toEqual([]);
});

test('descriptions and schemas that models read have no secret of the settings', async () => {
  const env = { SERVICE_TOKEN: 'tkn-cnry-4f0b7a91' };
  const said = "'with ' + process.env.SERVICE_TOKEN";
  const port = await own(
    `server.registerTool('add', { description: ${said}, inputSchema: { x: z.string().describe(${said}) } }, () => text('sum'));
server.registerPrompt('greet', { description: ${said} }, () => ({ messages: [] }));`,
    { server: { env } },
  );
  const { tools } = await port.list(lead(), signal);
  const [add, prompt] = ['own__add', 'own__get_prompt'].map((name) => tools.find((tool) => tool.name === name));
  expect(add).toMatchObject({
    description: 'with ***',
    inputSchema: { properties: { x: { description: 'with ***' } } },
  });
  expect(prompt?.description).toContain('with ***');
  expect(JSON.stringify(tools)).not.toContain(env.SERVICE_TOKEN);
});

test('a server that answers no pings any more is given up, and the next call connects again', async () => {
  const port = await own(
    `import { existsSync, writeFileSync } from 'node:fs';
server.registerTool('freeze', {}, () => { writeFileSync('frozen', '1'); for (;;); });
server.registerTool('ok', {}, () => text(existsSync('frozen')));`,
    { server: { pingIntervalSeconds: 0.1, maxMissedPings: 2 } },
  );
  expect(textOf((await call(port, 'ok')).content)).toBe('false');
  const lost = await call(port, 'freeze');
  expect(lost).toMatchObject({ errorCode: 'SERVER_UNAVAILABLE' });
  expect(textOf(lost.content)).toMatch(/it answered none of 2 pings/);
  expect(textOf((await call(port, 'ok')).content)).toBe('true');
});
