import { expect, test } from 'vitest';
import { configOf } from '@/lib/testing/mcp-servers';
import { connectSpec, parseTarget, serverSpec } from './server-spec';

const policy = {
  consentOf: () => ({ sampling: 'never' as const, elicitation: false }),
  secrets: [],
  env: { PATH: '/bin', HOME: '/home/a', TOKEN: 'of the worker', OPENAI_API_KEY: 'sk-of-the-operator' },
  projectEnv: { STORE_URL: 'postgres://u:word@host/db', TOKEN: 'hush-hush-hush', PLACE: '/home/a', UNSET: undefined },
};

function spec(server: Parameters<typeof configOf>[0][string]) {
  const config = configOf({ s: server }).servers.s;
  if (config === undefined) throw new Error('no server');
  return serverSpec(config, '/folder', policy);
}

test('a command runs in the folder with its own variables and nothing of the worker’s settings', () => {
  expect(
    spec({
      command: 'node',
      args: ['a.mjs', `\${MODE:fast}`],
      cwd: 'servers',
      env: { API_KEY: `\${TOKEN}`, LEVEL: '1' },
    }),
  ).toEqual({
    name: 's',
    transport: 'stdio',
    command: 'node',
    args: ['a.mjs', 'fast'],
    cwd: '/folder/servers',
    env: { PATH: '/bin', HOME: '/home/a', API_KEY: 'hush-hush-hush', LEVEL: '1' },
    readTimeoutMs: 300_000,
    reconnect: true,
    shown: `node a.mjs \${MODE:fast}`,
    secrets: ['hush-hush-hush'],
    sealed: ['hush-hush-hush'],
    pingMs: 0,
    maxMissedPings: 3,
    elicitation: 'forms',
    protocolMode: 'auto',
    asksPeople: false,
    sampling: undefined,
    roots: [],
    includeInstructions: true,
  });
});

test('an address with a password is hidden from results, a plain one only from messages', () => {
  expect(spec({ command: 'node', env: { WHERE: `\${STORE_URL}`, PLACE: `\${PLACE}` } })).toMatchObject({
    secrets: ['postgres://u:word@host/db', '/home/a'],
    sealed: ['postgres://u:word@host/db'],
  });
});

test.each([
  [
    `\${SEARCH}`,
    'it asks for the variable SEARCH, which this installation does not give to projects. Set SEARCH as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.',
  ],
  [
    `\${A} \${TOKEN} \${B}`,
    'it asks for the variables A, B, which this installation does not give to projects. Set A, B as secrets of the project, or add them as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.',
  ],
  [
    `\${UNSET}`,
    'it asks for the variable UNSET, listed in CALLBOARD_PROJECT_ENV but not set. Set UNSET and start again.',
  ],
  [
    `\${OPENAI_API_KEY}`,
    'it asks for the variable OPENAI_API_KEY. OPENAI_API_KEY belongs to a model provider and goes to that provider alone. Give the server a key of its own under another name.',
  ],
  [
    `\${PATH}`,
    'it asks for the variable PATH, which this installation does not give to projects. Set PATH as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.',
  ],
  [
    `\${__proto__}`,
    'it asks for the variable __proto__, which this installation does not give to projects. Set __proto__ as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.',
  ],
])('%s is not filled in, wherever it stands', (text, problem) => {
  expect(spec({ command: text })).toBe(problem);
  expect(spec({ command: 'node', args: [text] })).toBe(problem);
  expect(spec({ command: 'node', env: { X: text } })).toBe(problem);
  expect(spec({ command: 'node', cwd: text })).toBe(problem);
  expect(spec({ command: 'node', roots: [{ uri: `file:///${text}`, name: undefined }] })).toBe(problem);
  expect(spec({ url: `http://host/mcp?k=${text}` })).toBe(problem);
  expect(spec({ url: 'http://host/mcp', headers: { X: text } })).toBe(problem);
  expect(spec({ url: 'http://host/mcp', accessToken: text })).toBe(problem);
});

test('a variable of the worker that is not listed gives way to the default', () => {
  expect(spec({ command: 'node', args: [`\${OPENAI_API_KEY:none}`, `\${HOME:nowhere}`] })).toMatchObject({
    args: ['none', 'nowhere'],
    secrets: [],
  });
});

test('a password in a url becomes a header, and is not shown', () => {
  expect(spec({ url: 'https://ada:secret-word@host/mcp?key=abc', accessToken: undefined })).toMatchObject({
    url: 'https://host/mcp?key=abc',
    headers: { Authorization: `Basic ${Buffer.from('ada:secret-word').toString('base64')}` },
    shown: 'https://host/mcp?…',
  });
});

test('a connector of a provider cannot be used', () => {
  const entry = {
    name: 'c',
    target: undefined,
    connectorId: 'x',
    description: undefined,
    headers: {},
    accessToken: 'a',
  };
  expect(connectSpec(entry, '/folder', policy)).toMatch(/^it is a connector of a provider/);
});

test.each([
  ['https://host', { url: 'https://host/mcp', transport: 'http' }],
  ['https://host/mcp', { url: 'https://host/mcp', transport: 'http' }],
  ['https://host/a?x=1', { url: 'https://host/a?x=1', transport: 'http' }],
  ['https://host/sse', { url: 'https://host/sse', transport: 'sse' }],
  ['@scope/pkg --flag', { command: 'npx', args: ['-y', '@scope/pkg', '--flag'] }],
  ['uvx tool "two words" \'x y\'', { command: 'uvx', args: ['tool', 'two words', 'x y'] }],
])('the target %s', (target, expected) => {
  expect(parseTarget(target)).toEqual(expected);
});

test('a secret that is for a host does not go to a started server that is named like it', () => {
  const boundTo = (places: readonly string[], name: string) => {
    const config = configOf({ [name]: { command: 'node', env: { API_KEY: `\${TOKEN}` } } }).servers[name];
    if (config === undefined) throw new Error('no server');
    return serverSpec(config, '/folder', { ...policy, bound: new Map([['TOKEN', places]]) });
  };
  for (const host of ['api.example.org', 'localhost', 'intranet']) {
    expect(boundTo([host], host)).toBe(
      `the secret TOKEN may go to ${host} only, not to server:${host}. Whoever keeps the secret can add it.`,
    );
  }
  expect(boundTo(['api.example.org', 'server:files'], 'files')).toMatchObject({ env: { API_KEY: 'hush-hush-hush' } });
  expect(boundTo(['server:files'], 'other')).toContain('not to server:other');
});
