import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { endpointOf } from './endpoint';

/** As a folder names it. */
const variable = `\${TEAM_TOKEN}`;
const env = {
  variables: {},
  projectEnv: { TEAM_TOKEN: 'cnry-of-the-team' },
  bound: new Map([['TEAM_TOKEN', ['api.example.com']]]),
  hasValues: true,
};
const sectionsOf = (settings: object) =>
  readFolder(folderOf({ 'fast-agent.yaml': JSON.stringify({ generic: settings }) })).config.providers;

test.each([
  ['as a key', { api_key: variable }],
  ['in a header', { api_key: 'none', default_headers: { Authorization: `Bearer ${variable}` } }],
])('a value that may go to one host goes to no other address of a provider: %s', (_, settings) => {
  const there = endpointOf('generic.m', sectionsOf({ ...settings, base_url: 'https://api.example.com/v1' }), env);
  expect(there.ok).toBe(true);
  const elsewhere = endpointOf('generic.m', sectionsOf({ ...settings, base_url: 'https://other.example.com/v1' }), env);
  expect(elsewhere).toMatchObject({
    ok: false,
    error: expect.stringContaining('TEAM_TOKEN may go to api.example.com only, not to other.example.com'),
  });
});
