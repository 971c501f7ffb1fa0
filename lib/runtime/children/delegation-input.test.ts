import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Folder } from '@/lib/cards/folder';
import { childRoute } from '@/lib/runtime/delegation/child-route';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { type CallsRun, runCalls } from '@/lib/testing/run-calls';

const kid = (args: JsonObject | string = {}) => ({ tool: 'agent__kid', arguments: args });

function edge(options: DelegationOptions) {
  return { delegations: { lead: { kid: options } } };
}

function texts(run: CallsRun): string[] {
  return run.results.map(({ content }) => textOf(content));
}

function parameters(options: DelegationOptions): JsonObject {
  const card = agentCard('lead', { agents: ['kid'] });
  return childRoute(card, agentCard('kid'), graphOf('x', { settings: edge(options) }).settings, new Map()).tool
    .inputSchema;
}

describe('kinds of tools', () => {
  it('a child has its own tools; the parent is offered the child and none of these tools', async () => {
    const box = fakeTools({ box__search: () => 'found' });
    const none = Promise.resolve({ tools: [], issues: [] });
    const { model } = await runCalls('lead > kid, pal; pal > kid', [kid(), { tool: 'agent__pal' }], {
      tools: { ...box, list: (card, signal) => (card.servers.includes('box') ? box.list(card, signal) : none) },
      scripts: { pal: [{ calls: [kid()] }, 'pal says'] },
      cards: { kid: { servers: ['box'] } },
    });
    const offered = new Map(model.requests.map(({ agentName, tools }) => [agentName, tools.map(({ name }) => name)]));
    expect([...offered]).toEqual([
      ['lead', ['agent__kid', 'agent__pal']],
      ['kid', ['box__search']],
      ['pal', ['agent__kid']],
    ]);
  });
});

describe('schemas', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      operation: { type: 'string', enum: ['filter', 'map', 'reduce'] },
      data: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
      note: { type: ['string', 'null'] },
    },
    required: ['operation'],
  };

  it("the delegation's input_schema is listed, and checked before a child exists", async () => {
    const run = await runCalls(
      'lead > kid',
      [
        kid({ operation: 'map', note: null, data: [{ n: 1 }] }),
        kid({ operation: 'sort' }),
        kid({ data: [] }),
        kid({ operation: 'map', extra: 1 }),
        kid({ operation: 'map', data: [{ m: 1 }] }),
        kid({ operation: 7 }),
      ],
      { settings: edge({ input_schema: schema }) },
    );
    const [lead] = run.model.requests;
    expect(lead?.tools[0]?.inputSchema).toEqual(schema);
    expect(run.inputs).toEqual(['{"operation":"map","data":[{"n":1}]}']);
    expect(run.results.filter(({ isError }) => isError).map(({ errorCode }) => errorCode)).toEqual(
      Array.from({ length: 5 }, () => 'INPUT_VALIDATION'),
    );
    expect(texts(run).sort()).toEqual([
      "Error: The arguments of 'agent__kid' are not valid: /data/0 must NOT have additional properties 'm'.",
      'Error: The arguments of \'agent__kid\' are not valid: /operation must be equal to one of the allowed values ("filter", "map", "reduce").',
      'Error: The arguments of \'agent__kid\' are not valid: /operation must be string; /operation must be equal to one of the allowed values ("filter", "map", "reduce").',
      "Error: The arguments of 'agent__kid' are not valid: arguments must NOT have additional properties 'extra'.",
      "Error: The arguments of 'agent__kid' are not valid: arguments must have required property 'operation'.",
      'kid says',
    ]);
    const refused = run.sink.of('instance.ended').filter(({ error }) => error?.code === 'INPUT_VALIDATION');
    expect(refused).toHaveLength(5);
  });

  it('lets unknown properties through where the schema allows them', async () => {
    const open: JsonObject = { type: 'object', properties: {}, additionalProperties: true };
    const { inputs } = await runCalls('lead > kid', [kid({ any: 1 })], { settings: edge({ input_schema: open }) });
    expect(inputs).toEqual(['{"any":1}']);
  });

  it.each<[string, JsonObject, string, unknown]>([
    ['an object', { type: 'object' }, '{"count":2}', { count: 2 }],
    ['an object in a code fence', { type: 'object' }, 'Sure:\n```json\n{"a":1}\n```', { a: 1 }],
    ['two code fences', { type: 'object' }, '```\n{}\n```\nor\n```\n{}\n```', undefined],
    ['nothing but a code fence', { type: 'object' }, '\n```json\n{ "a": 1 }\n```\n', { a: 1 }],
    ['a union', { anyOf: [{ type: 'number' }, { type: 'object' }] }, '3', 3],
    ['a quoted literal', { enum: ['option1', 'option3'] }, '"option3"', 'option3'],
    ['a bare literal', { enum: ['option1', 'option3'] }, 'option3', 'option3'],
    ['a list', { type: 'array' }, '[1]', [1]],
    ['the wrong type', { type: 'object' }, '[1]', undefined],
    ['no JSON', { type: 'object' }, 'sorry', undefined],
  ])('checks the answer against output_schema: %s', async (_, output_schema, answer, expected) => {
    const run = await runCalls('lead > kid', [kid()], {
      scripts: { kid: [answer, answer] },
      settings: edge({ output_schema }),
    });
    const [result] = run.results;
    if (expected === undefined) {
      expect(result).toMatchObject({ isError: true, errorCode: 'OUTPUT_VALIDATION' });
      expect(texts(run)[0]).toMatch(/^Error: The answer of agent 'kid' is not valid: /);
    } else {
      const text = typeof expected === 'string' ? expected : JSON.stringify(expected);
      expect(result).toEqual({
        content: [{ type: 'text', text }],
        isError: false,
        structuredContent: expected,
      });
    }
    // The record keeps what the model wrote.
    expect(run.sink.of('instance.ended')[0]).toMatchObject({
      status: expected === undefined ? 'failed' : 'completed',
      answer,
    });
  });

  it('tells the child what its answer must fit', async () => {
    const { model } = await runCalls('lead > kid', [kid()], {
      scripts: { kid: '1' },
      settings: edge({ output_schema: { type: 'number' } }),
    });
    expect(model.requests[1]?.instruction).toMatch(/You are kid\.\n\nAnswer with JSON .*:\n\{"type":"number"\}$/s);
    expect(model.requests[0]?.instruction).not.toContain('JSON');
  });
});

describe('a schema that cannot be used lets nothing through, and the child is not called', () => {
  it.each<[string, DelegationOptions, string]>([
    [
      'input_schema',
      { input_schema: { type: 'object', properties: { q: { enum: ['filter'], type: 'strnig' } } } },
      "INPUT_VALIDATION Error: The input schema of agent 'kid' cannot be used, so it is not called: type must be JSONType or JSONType[]: strnig.",
    ],
    [
      'output_schema',
      { output_schema: { type: 'object', properties: { q: { pattern: '(' } } }, max_attempts: 3 },
      "OUTPUT_VALIDATION Error: The output_schema of agent 'kid' cannot be used, so it is not called: the pattern '(' cannot be read by RE2, which matches in linear time: missing closing ): `(`.",
    ],
    [
      'a schema that answers later',
      { output_schema: { $async: true, type: 'object' } },
      "OUTPUT_VALIDATION Error: The output_schema of agent 'kid' cannot be used, so it is not called: '$async' is not supported.",
    ],
  ])('%s', async (_, options, expected) => {
    const run = await runCalls('lead > kid', [kid({ q: 'x' })], { settings: edge(options), scripts: { kid: '1' } });
    expect(run.results.map(({ errorCode, content }) => `${errorCode} ${textOf(content)}`)).toEqual([expected]);
    expect(run.inputs).toEqual([]);
    expect(run.sink.of('instance.ended').filter(({ path }) => path.includes('kid'))).toHaveLength(1);
  });
});

describe('attachments', () => {
  const folder: Folder = new Map([
    ['docs/notes.TXT', { kind: 'text', text: 'hello' }],
    ['docs/empty.md', { kind: 'text', text: '' }],
    ['pic.png', { kind: 'binary', bytes: new Uint8Array([1, 2, 3, 4, 5]) }],
    ['clip.wav', { kind: 'binary', bytes: new Uint8Array([9]) }],
    ['strange.xyz', { kind: 'binary', bytes: new Uint8Array([0]) }],
    ['fastagent.secrets.yaml', { kind: 'text', text: 'key: 1' }],
    ['.env', { kind: 'text', text: 'KEY=1' }],
    ['certs/server.pem', { kind: 'text', text: 'key' }],
  ]);
  const call = (...attachments: unknown[]) => kid({ text: 'look', attachments } as JsonObject);

  async function attach(policy: DelegationOptions['attachments'], ...paths: unknown[]): Promise<string> {
    const run = await runCalls('lead > kid', [call(...paths)], {
      folder,
      settings: edge(policy ? { attachments: policy } : {}),
    });
    const [result] = run.results;
    if (result?.isError) expect(result.errorCode).toBe('ATTACHMENT_REFUSED');
    if (result?.isError) expect(run.sink.of('instance.started').map(({ path }) => path)).toEqual(['lead']);
    return result?.isError ? textOf(result.content) : 'passed';
  }

  it('the parameter is there only when at least one is allowed, and says what may come', () => {
    const description = (attachments: DelegationOptions['attachments']) => {
      const { properties } = parameters(attachments ? { attachments } : {}) as {
        properties: { attachments?: { description: string; type: string } };
      };
      return properties.attachments?.description;
    };
    expect(description(undefined)).toBeUndefined();
    expect(description({ max: 0 })).toBeUndefined();
    expect(description({})).toBe('Paths of project files to attach. At most 4.');
    expect(description({ max: 3, allow: ['.PDF', 'txt'] })).toBe(
      'Paths of project files to attach. Types: .pdf, .txt. At most 3.',
    );
    expect(description({ max: 12, deny: ['.exe'] })).toBe('Paths of project files to attach. Not: .exe.');
  });

  it('adds the parameter to every input mode', () => {
    for (const input_mode of ['text_json', 'request', 'message', 'input_data', 'schema'] as const) {
      expect(Object.keys(parameters({ input_mode, attachments: {} }).properties ?? {})).toContain('attachments');
    }
  });

  it('files reach the child as content with their media types', async () => {
    const { model } = await runCalls(
      'lead > kid',
      [call('docs/notes.TXT', './pic.png', 'clip.wav', 'docs//empty.md', 'strange.xyz')],
      { folder, settings: edge({ attachments: { max: 5 } }) },
    );
    expect(model.requests[1]?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'resource', uri: 'docs/notes.TXT', mimeType: 'text/plain', text: 'hello' },
          { type: 'image', data: 'AQIDBAU=', mimeType: 'image/png' },
          { type: 'audio', data: 'CQ==', mimeType: 'audio/wav' },
          { type: 'resource', uri: 'docs/empty.md', mimeType: 'text/markdown', text: '' },
          { type: 'resource', uri: 'strange.xyz', mimeType: 'application/octet-stream', blob: 'AA==' },
        ],
      },
    ]);
  });

  it('files beyond the limits of count, bytes and types are refused, and files at the limits pass', async () => {
    expect(await attach({ max: 1 }, 'docs/notes.TXT', 'pic.png')).toBe('Error: 2 attachments are too many; at most 1.');
    expect(await attach({ max_bytes: 4 }, 'docs/notes.TXT')).toBe(
      'Error: The attachments are larger than 4 bytes together.',
    );
    expect(await attach({ max_bytes: 5 }, 'docs/notes.TXT')).toBe('passed');
    expect(await attach({ max_bytes: 9 }, 'docs/notes.TXT', 'pic.png')).toMatch(/larger than 9 bytes/);
    expect(await attach({ max_bytes: 10 }, 'docs/notes.TXT', 'pic.png')).toBe('passed');
    expect(await attach({ max_bytes: 0 }, 'docs/empty.md')).toBe('passed');
    expect(await attach({ allow: ['.txt'] }, 'docs/notes.TXT')).toBe('passed');
    expect(await attach({ allow: ['.pdf'] }, 'docs/notes.TXT')).toBe(
      "Error: The attachment 'docs/notes.TXT' is of a type that is not allowed: only .pdf.",
    );
    expect(await attach({ deny: ['TXT'] }, 'docs/notes.TXT')).toMatch(/not allowed: not \.txt/);
    expect(await attach(undefined, 'docs/notes.TXT')).toBe('Error: This agent takes no attachments. Call it without.');
    expect(await attach({}, 3)).toBe("Error: 'attachments' must be a list of paths.");
  });

  it.each(['request', 'message', 'input_data', 'text_json'] as const)(
    'refuses files for an agent that takes none in input mode %s',
    async (input_mode) => {
      const said = { request: 'look', message: 'look', input_data: 'look', text: 'look' };
      const run = await runCalls('lead > kid', [kid({ ...said, attachments: ['pic.png'] })], {
        folder,
        settings: edge({ input_mode }),
      });
      expect(run.results.map(({ errorCode }) => errorCode)).toEqual(['ATTACHMENT_REFUSED']);
      expect(texts(run)).toEqual(['Error: This agent takes no attachments. Call it without.']);
      expect(run.inputs).toEqual([]);
    },
  );

  it("keeps a parameter of the child's schema that has the same name", async () => {
    const input_schema: JsonObject = { type: 'object', properties: { attachments: { type: 'array' } } };
    const run = await runCalls('lead > kid', [kid({ attachments: ['a'] })], { settings: edge({ input_schema }) });
    expect(run.inputs).toEqual(['{"attachments":["a"]}']);
  });

  it.each([
    ['/etc/passwd', 'is not relative to the project'],
    ['~/secret', 'is not relative to the project'],
    ['C:\\secret', 'is not relative to the project'],
    ['docs/../pic.png', "contains '..'"],
    ['docs\\..\\pic.png', "contains '..'"],
    ['input/../secret.pdf', "contains '..'"],
    ['nowhere.txt', 'does not exist'],
    ['docs', 'is a directory'],
    ['.', 'is a directory'],
    ['', 'is no path'],
  ])('refuses the path %j', async (path, why) => {
    expect(await attach({}, path)).toBe(`Error: The attachment '${path}' ${why}.`);
  });

  it.each(['fastagent.secrets.yaml', '.env', './certs/server.pem', 'gone/.env'])(
    'refuses files that hold secrets: %s',
    async (path) => {
      expect(await attach({}, path)).toBe(`Error: The attachment '${path}' holds secrets and cannot be read.`);
    },
  );

  it('session_id and attachments never become part of the message', async () => {
    const args = { topic: 'x', session_id: 's1', attachments: [] };
    const open = await runCalls('lead > kid', [kid(args)], { settings: edge({ attachments: {} }) });
    expect(open.inputs).toEqual(['{"topic":"x"}']);
    const plain = await runCalls('lead > kid', [kid(args)]);
    expect(plain.inputs).toEqual(['{"topic":"x"}']);
    const input_schema = { type: 'object', properties: { topic: { type: 'string' } } };
    const strict = await runCalls('lead > kid', [kid({ topic: 'x', attachments: ['pic.png'] })], {
      folder,
      settings: edge({ attachments: {}, input_schema }),
    });
    expect(strict.inputs).toEqual(['{"topic":"x"}']);
  });

  it("keeps a property of the child's schema that is named attachments", async () => {
    const input_schema = { type: 'object', properties: { attachments: { type: 'array' } } };
    const run = await runCalls('lead > kid', [kid({ attachments: ['x'], session_id: '' })], {
      settings: edge({ input_schema, session: 'addressed' }),
    });
    expect(run.inputs).toEqual(['{"attachments":["x"]}']);
  });
});
