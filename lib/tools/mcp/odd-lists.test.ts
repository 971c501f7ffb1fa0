import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { systemClock } from '@/lib/jobs/system-clock';
import { textOf } from '@/lib/runtime/record/messages';
import { agentCard } from '@/lib/testing/graph-of';
import { callContext, configOf, toolNamed } from '@/lib/testing/mcp-servers';
import { createMcpPool, type McpPool } from './pool';

/** Servers that list good items and odd ones. The SDK would refuse the whole list. */

let root: string;
let pool: McpPool;
const card = agentCard('lead', { servers: ['mixed'] });
const signal = new AbortController().signal;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-odd-'));
  pool = createMcpPool({ clock: systemClock, log: () => undefined, env: { PATH: process.env.PATH } });
});

afterEach(async () => {
  await pool.close();
  await rm(root, { recursive: true, force: true });
});

/** Starts a server over stdio, written without the SDK, that answers each list with what is given. */
async function scopeOf(lists: Readonly<Record<string, unknown>>) {
  const source = `import { createInterface } from 'node:readline';
const lists = ${JSON.stringify(lists)};
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  if (method === 'initialize') return write({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'm', version: '1' } } });
  if (method === 'tools/call') {
    if (params.name in (lists.results ?? {})) return write({ id, result: lists.results[params.name] });
    return write({ id, result: { content: [{ type: 'text', text: params.name }] } });
  }
  if (method === 'prompts/get') return write({ id, result: { messages: lists.messages } });
  if (method === 'resources/read') return write({ id, result: { contents: lists.contents } });
  const list = { 'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates' }[method];
  write({ id, result: list === undefined ? {} : { [list]: lists[list] ?? [], nextCursor: null, _meta: null } });
});`;
  await writeFile(path.join(root, 'server.mjs'), source);
  return { config: configOf({ mixed: { command: 'node', args: ['server.mjs'] } }), root };
}

const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const good = { name: 'good', inputSchema: object({ q: { type: 'string' } }) };

describe('a tool with a fault', () => {
  test.each([
    [{ inputSchema: object({}) }, 'it has no name'],
    [{ name: 7, inputSchema: object({}) }, 'it has no name'],
    [null, 'it is not an object'],
    ['odd', 'it is not an object'],
    [{ name: 'odd', inputSchema: 'none' }, 'its inputSchema is not an object'],
    [
      { name: 'odd', inputSchema: { type: 'string' } },
      'its inputSchema is of type "string", and arguments are an object',
    ],
  ])('is left out alone: %j', async (odd, why) => {
    const scope = await scopeOf({ tools: [odd, good] });
    const port = pool.port(scope);
    const { tools, issues } = await port.list(card, signal);
    const listed = tools.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"q"'));
    expect(listed.map(({ name }) => name)).toEqual(['mixed__good']);
    const name = why.startsWith('its') ? "tool 'odd'" : 'a tool';
    const sentence = `Server 'mixed': ${name} is left out: ${why}. Have it corrected at the server.`;
    expect(issues).toMatchObject([{ code: 'server-item', severity: 'warning', message: sentence, agent: 'lead' }]);
    // A run says it once, another run again, and so does the test of the server.
    expect((await port.list(card, signal)).issues).toEqual([]);
    expect((await pool.port(scope).list(card, signal)).issues).toHaveLength(1);
    const report = await pool.probe(scope, 'mixed', signal);
    expect(report.tools.map((tool) => tool.name)).toEqual(['good']);
    expect(report.faults).toEqual([sentence]);
    const called = await port.call(toolNamed(tools, 'mixed__good'), {}, callContext());
    expect(textOf(called.content)).toBe('good');
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['required: null', { type: 'object', required: null }, { type: 'object' }],
    ['properties: null', { type: 'object', properties: null }, { type: 'object' }],
    ['no type', { properties: { a: { type: 'string' } } }, object({ a: { type: 'string' } })],
    ['a property of true', object({ a: true }), object({ a: {} })],
    [
      'a null below',
      object({ a: { type: 'string', enum: null, default: null } }),
      object({ a: { type: 'string', default: null } }),
    ],
    ['nothing', {}, { type: 'object' }],
  ])('is repaired without a word where nothing is lost: %s', async (_, inputSchema, repaired) => {
    const odd = {
      name: 'odd',
      inputSchema,
      annotations: null,
      description: null,
      title: null,
      outputSchema: null,
      icons: 7,
    };
    const { tools, issues } = await pool.port(await scopeOf({ tools: [odd, good] })).list(card, signal);
    expect(issues).toEqual([]);
    expect(toolNamed(tools, 'mixed__good').inputSchema).toEqual(good.inputSchema);
    expect(toolNamed(tools, 'mixed__odd')).toMatchObject({ description: '' });
    expect(toolNamed(tools, 'mixed__odd').inputSchema).toEqual(repaired);
  });

  test.each<[unknown, JsonObject, string]>([
    [undefined, { type: 'object' }, 'it has no inputSchema, so it is offered without arguments'],
    [object({ a: { type: 'array' } }), object({ a: { type: 'array', items: {} } }), "'a' is a list without 'items'"],
    [
      object({ a: object({ b: { type: ['array', 'null'], items: null } }) }),
      object({ a: object({ b: { type: ['array', 'null'], items: {} } }) }),
      "'a.b' is a list without 'items'",
    ],
    [
      object({ a: { $ref: '#/$defs/Nowhere', description: 'A.' } }),
      object({ a: { description: 'A.' } }),
      `'a' refers to "#/$defs/Nowhere", which is not in the schema`,
    ],
    [object({ a: 'text' }), object({ a: {} }), "'a' is not a schema"],
    [object({ a: { required: true } }), object({ a: {} }), "'a' has a 'required' that is not a list of names"],
    [
      {
        anyOf: [object({ a: {}, k: { const: 1 } }, { required: ['a', 'k'] }), { $ref: '#/$defs/B' }],
        $defs: { B: object({ k: { const: 2 } }, { required: ['k'] }) },
      },
      object(
        { a: {}, k: { anyOf: [{ const: 1 }, { const: 2 }] } },
        { required: ['k'], $defs: { B: object({ k: { const: 2 } }, { required: ['k'] }) } },
      ),
      "its inputSchema has 'anyOf' at the top, so it is offered as one object with all the properties",
    ],
  ])('is offered with changes that take more, and says so: %j', async (inputSchema, repaired, why) => {
    const { tools, issues } = await pool
      .port(await scopeOf({ tools: [{ name: 'odd', inputSchema }] }))
      .list(card, signal);
    expect(toolNamed(tools, 'mixed__odd').inputSchema).toEqual(repaired);
    expect(issues.map(({ message }) => message)).toEqual([
      `Server 'mixed': tool 'odd' is offered with changes: ${why}. Have it corrected at the server.`,
    ]);
  });

  test('is as the server lists it where nothing is wrong', async () => {
    const sound = [
      object({ x: { $ref: '#/$defs/Point' } }, { $defs: { Point: object({ x: { type: 'number' } }) } }),
      object({ note: { type: ['string', 'null'] } }, { $schema: 'http://json-schema.org/draft-07/schema#' }),
      object({ tree: { $ref: '#' }, pair: { type: 'array', prefixItems: [{}, {}] }, one: { enum: [1, null] } }),
      object({ here: { $ref: 'https://example.com/point' } }, { $defs: { P: { $id: 'https://example.com/point' } } }),
    ];
    const listed = sound.map((inputSchema, n) => ({ name: `t${n}`, inputSchema }));
    const { tools, issues } = await pool.port(await scopeOf({ tools: listed })).list(card, signal);
    expect(issues).toEqual([]);
    expect(tools.slice(0, 4).map(({ inputSchema }) => inputSchema)).toEqual(sound);
  });
});

test('prompts, resources and templates with faults are left out alone', async () => {
  const scope = await scopeOf({
    tools: null,
    prompts: [{ description: 'x' }, { name: 'ask', arguments: [{ name: 'a', required: null }, { required: true }] }],
    resources: [{ name: 'lost' }, { uri: 'file:///a', name: null, annotations: 7 }, 5],
    resourceTemplates: [{ uriTemplate: 'file:///{x}', name: 'X' }, null],
  });
  const port = pool.port(scope);
  const { tools, issues } = await port.list(card, signal);
  expect(tools.map(({ name }) => name)).toEqual(['mixed__list_resources', 'mixed__read_resource', 'mixed__get_prompt']);
  const ofPrompts = [
    "Server 'mixed': a prompt is left out: it has no name. Have it corrected at the server.",
    "Server 'mixed': prompt 'ask' is offered with changes: an argument without a name is left out. Have it corrected at the server.",
  ];
  expect(issues.map(({ message }) => message)).toEqual(ofPrompts);
  const ofResources = [
    "Server 'mixed': resource 'lost' is left out: it has no uri. Have it corrected at the server.",
    "Server 'mixed': a resource is left out: it is not an object. Have it corrected at the server.",
    "Server 'mixed': a resource template is left out: it is not an object. Have it corrected at the server.",
  ];
  const listed = await port.call(toolNamed(tools, 'mixed__list_resources'), {}, callContext());
  expect(textOf(listed.content).split('\n')).toEqual([
    'file:///a file:///a',
    'file:///{x} (template: fill in the braces) X',
    ...ofResources.map((sentence) => `[${sentence}]`),
  ]);
  const report = await pool.probe(scope, 'mixed', signal);
  expect(report.steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(report.faults).toEqual([...ofResources, ...ofPrompts]);
});

test('a list that is none is told in a sentence', async () => {
  const { issues } = await pool.port(await scopeOf({ tools: { good } })).list(card, signal);
  expect(issues[0]?.message).toBe("Server 'mixed' did not list what it offers: its list of tools is not a list.");
});

describe('a result with parts that are not known', () => {
  test('keeps the others, with a note in place of each', async () => {
    const text = { type: 'text', text: 'Done: order 7 was placed.' };
    const scope = await scopeOf({
      tools: [{ name: 'news' }, { name: 'nulls' }, { name: 'nothing' }, { name: 'empty' }, { name: 'null' }],
      results: {
        news: {
          content: [{ type: 'hologram', x: 1 }, text, { text: 'x' }, { type: 'image', mimeType: 'image/png' }],
          isError: null,
        },
        nulls: { content: [{ ...text, annotations: null, _meta: null }], structuredContent: null, _meta: null },
        nothing: { content: null, structuredContent: { n: 7 } },
        empty: {},
        null: null,
      },
      prompts: [{ name: 'ask' }],
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: { type: 'hologram' } },
      ],
      resources: [{ uri: 'a:b' }],
      contents: [{ uri: 'a:b', text: 'yes', mimeType: null }, { uri: 'a:c' }],
    });
    const port = pool.port(scope);
    const { tools } = await port.list(card, signal);
    const texts = async (name: string, args: JsonObject = {}) => {
      const { content, isError } = await port.call(toolNamed(tools, `mixed__${name}`), args, callContext());
      return [...content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))), isError];
    };
    const left = (type: string) => `[left out: a block of type '${type}' that cannot be read here]`;
    expect(await texts('news')).toEqual([
      left('hologram'),
      text.text,
      '[left out: a block without a type]',
      left('image'),
      false,
    ]);
    expect(await texts('nulls')).toEqual([text.text, false]);
    expect(await texts('nothing')).toEqual(['{"n":7}', false]);
    expect(await texts('empty')).toEqual([false]);
    expect(await texts('null')).toEqual([
      "Server 'mixed' gave no result: it answered with null, which is no result.",
      true,
    ]);
    expect(await texts('get_prompt', { name: 'ask' })).toEqual([
      '[user]',
      text.text,
      '[assistant]',
      left('hologram'),
      false,
    ]);
    const yes = '{"type":"resource","uri":"a:b","text":"yes"}';
    expect(await texts('read_resource', { uri: 'a:b' })).toEqual([yes, left('resource'), false]);
  });
});
