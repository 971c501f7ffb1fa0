import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { issueCodes } from './issue-codes';

test('docs/issues.md lists every code as it is', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/issues.md', import.meta.url)), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const expected = Object.entries(issueCodes).map(
    ([code, { severity, stage, meaning, next }]) => `| \`${code}\` | ${severity} | ${stage} | ${meaning} | ${next} |`,
  );
  expect(rows).toEqual(expected);
});

test('every code is used by a check', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !name.endsWith('issue-codes.ts'))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
    .join('\n');
  expect(Object.keys(issueCodes).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});
