import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { lackingArgument } from './bare-command';

function read(server: string, top = '') {
  const { config, issues } = readFolder(
    folderOf({ 'fast-agent.yaml': `${top}\nmcp: {servers: {s: {command: x, ${server}}}}` }),
  );
  return { server: config.servers.s, issues: issues.map(({ code, message }) => `${code}: ${message}`) };
}

test('what a server may ask, and how it is watched', () => {
  const { server, issues } = read(
    "elicitation: {mode: auto-cancel}, sampling: {model: haiku}, ping_interval_seconds: 5, max_missed_pings: 1, roots: [{uri: 'file:///a', name: A}, {uri: 'file:///b', server_uri_alias: 'file:///c'}]",
  );
  expect(issues).toEqual([]);
  expect(server).toMatchObject({
    elicitation: 'auto-cancel',
    samplingModel: 'haiku',
    pingIntervalSeconds: 5,
    maxMissedPings: 1,
    roots: [
      { uri: 'file:///a', name: 'A' },
      { uri: 'file:///c', name: undefined },
    ],
  });
});

test('defaults, and the elicitation mode of the whole config', () => {
  expect(read('args: []').server).toMatchObject({
    elicitation: 'forms',
    samplingModel: undefined,
    pingIntervalSeconds: undefined,
    maxMissedPings: 3,
    roots: [],
  });
  expect(read('args: []', 'elicitation: {mode: none}').server?.elicitation).toBe('none');
  expect(read('elicitation: {mode: forms}', 'elicitation: {mode: none}').server?.elicitation).toBe('forms');
  expect(read('ping_interval_seconds: -1').server?.pingIntervalSeconds).toBe(0);
});

test.each([
  ['elicitation: {mode: ask}', /^config-invalid: 'ask' is not a value of 'mode'\. Use forms, auto-cancel or none\./],
  ['elicitation: none', /'elicitation' must be a mapping/],
  ['max_missed_pings: 0', /'max_missed_pings' must be 1 or more, not 0\./],
  ["roots: [{uri: 'https://x'}]", /A root needs a 'uri' that starts with file:\/\/\./],
  ['roots: 5', /'roots' must be a list/],
])('%s is an issue', (text, message) => {
  const { server, issues } = read(text);
  expect(server).toBeDefined();
  expect(issues).toEqual([expect.stringMatching(message)]);
});

test.each([
  ['npx', [], 'a package'],
  ['npx', ['-y'], 'a package'],
  ['/usr/bin/npx', ['-y', '@modelcontextprotocol/server-everything'], undefined],
  ['C:\\node\\npx.cmd', [' '], 'a package'],
  ['uvx', ['--from=git+https://example.com/a', '-q'], undefined],
  ['node', [], 'what to run'],
  ['node', ['server.mjs'], undefined],
  ['my-server', [], undefined],
])('%s %j lacks: %s', (command, args, lacking) => {
  expect(lackingArgument(command, args)).toBe(lacking);
});
