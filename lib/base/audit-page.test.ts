import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditActions } from './audit';

test('the page of the audit log lists every action once, and no other', () => {
  const page = readFileSync('docs/audit.md', 'utf8');
  const firstCells = [...page.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell]) => cell ?? '');
  const listed = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, action]) => action));
  expect(listed.toSorted()).toEqual([...auditActions].toSorted());
});
