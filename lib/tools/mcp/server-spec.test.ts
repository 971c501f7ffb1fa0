import { expect, test } from 'vitest';
import { configOf } from './sample-servers';
import { connectSpec, parseTarget, serverSpec } from './server-spec';

const policy = {
  sampling: false,
  secrets: [],
  env: { PATH: '/bin', HOME: '/home/a', DATABASE_URL: 'postgres://u:word@host/db', TOKEN: 'hush-hush-hush' },
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
    sampling: undefined,
    roots: [],
    includeInstructions: true,
  });
});

test('an address with a password is hidden from results, a plain one only from messages', () => {
  expect(spec({ command: 'node', env: { WHERE: `\${DATABASE_URL}`, PLACE: `\${HOME}` } })).toMatchObject({
    secrets: ['postgres://u:word@host/db', '/home/a'],
    sealed: ['postgres://u:word@host/db'],
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
