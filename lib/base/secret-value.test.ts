import { expect, test } from 'vitest';
import { isSecret } from './secret-value';

test.each([
  ['SEARCH_TOKEN', 'word', true],
  ['Authorization', 'x', true],
  ['GITHUB_PAT', 'word', true],
  ['WHERE', 'postgres://ann:word@host/db', true],
  ['OTHER', 'ghp_16C7e42F292c6912E7', true],
  ['MODE', 'production', false],
  ['DOCS', '/srv/team1/documents-2026', false],
  ['ADDRESS', 'https://tools.example.com/mcp1', false],
  ['PATH', '/usr/bin:/bin', false],
  ['SENTENCE', 'on the 12th floor of it', false],
])('%s=%s: %s', (name, value, expected) => {
  expect(isSecret(name, value)).toBe(expected);
});
