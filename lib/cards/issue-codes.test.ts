import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { issueCodes } from './issue-codes';

test('docs/issues.md has a row for every code, with what it means and what to do', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/issues.md', import.meta.url)), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const told = rows.map((row) => row.split(' | ').slice(0, 3).join(' | '));
  const codes = Object.entries(issueCodes).map(
    ([code, { severity, stage }]) => `| \`${code}\` | ${severity} | ${stage}`,
  );
  expect(told).toEqual(codes);
  expect(rows.filter((row) => !/ \| \S.*[.!] \| \S.*[.!] \|$/.test(row))).toEqual([]);
});

test('every code is used by a check', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !name.endsWith('issue-codes.ts'))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
    .join('\n');
  expect(Object.keys(issueCodes).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});
