import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each rule about attacks in docs/security.md names tests that exist', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const [, section = ''] = page.split('\n## Tests of attacks\n');
  const rules = (section.split('\n## ')[0] ?? '').split('\n- ').slice(1);
  expect(rules.length).toBeGreaterThanOrEqual(16);
  const named = rules.map((rule) => [...rule.matchAll(/`([^`]+\.(?:test|spec)\.ts)`/g)].map(([, file = '']) => file));
  expect(rules.filter((_, index) => named[index]?.length === 0)).toEqual([]);
  expect(named.flat().filter((file) => !existsSync(file))).toEqual([]);
});
