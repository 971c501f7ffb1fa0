import { expect, test } from 'vitest';
import { folderOf } from './files';
import {
  differences,
  expectedOf,
  hookCaseNameFault,
  hookCasePath,
  hookCasesIn,
  hookCaseText,
  type KeptHookCase,
} from './hook-cases';

const kept: KeptHookCase = {
  agent: 'lead',
  only: { origin: 'card', index: 0 },
  call: { tool: 'time__now', source: 'mcp', server: 'time', arguments: { zone: 'UTC' } },
  result: '12:00',
  expected: { arguments: { zone: 'UTC' }, result: { content: [], isError: false } },
};

test('a case is read back as it was written, and other files are no cases', () => {
  const folder = folderOf({
    [hookCasePath('noon')]: hookCaseText(kept),
    'hook-cases/broken.json': '{"agent": 1}',
    'hook-cases/notes.md': 'Notes.',
    'other.json': hookCaseText(kept),
  });
  expect(hookCasesIn(folder)).toEqual([
    { name: 'broken', path: 'hook-cases/broken.json', kept: undefined },
    { name: 'noon', path: 'hook-cases/noon.json', kept },
  ]);
});

test('a case passes if arguments and result are as expected, whatever the order of members', () => {
  const report = { arguments: { zone: 'UTC' }, result: { isError: false, content: [] } };
  expect(differences(kept, report)).toEqual([]);
  expect(differences(kept, { ...report, arguments: { zone: 'CET' } })).toEqual([
    { what: 'arguments', expected: { zone: 'UTC' }, actual: { zone: 'CET' } },
  ]);
  // A hook that lets nothing through gives no arguments.
  expect(differences(kept, { result: 'no' }).map(({ what }) => what)).toEqual(['arguments', 'result']);
  const refused = { ...kept, expected: expectedOf({ result: 'no' }) };
  expect(differences(refused, { result: 'no' })).toEqual([]);
});

test('names of cases are names of files', () => {
  expect(['clamps 99', 'Ärger-2.a', 'x'].map(hookCaseNameFault)).toEqual([undefined, undefined, undefined]);
  for (const name of ['', ' ', '../x', 'a/b', '.x', 'x'.repeat(81)]) expect(hookCaseNameFault(name)).toBeDefined();
});
