import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textLines } from '@/lib/base/text-lines';
import { decodeFile } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { cardTypes } from '@/lib/cards/read/card-fields';
import { tries } from '@/lib/testing/tries';
import { readFolder } from './read-folder';

/** Reading any folder ends, does not throw, and reports positions inside its files. */

const path = fc.constantFrom(
  'a.md',
  'agent-cards/b.md',
  'agent-cards/c.yaml',
  'fast-agent.yaml',
  'callboard.yaml',
  'd.py',
);
const scalar = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '[a, b]',
    '{a: [b]}',
    '{{x}}',
    '*x',
    '&x y',
    '010',
    'yes',
    '2026-01-02',
    '=',
    '"',
    "'",
    '|',
    '- a',
    '',
  ),
  fc.string(),
);
const key = fc.constantFrom(
  ...'name agents servers tools model instruction function_tools tool_hooks lifecycle_hooks commands mcp_connect'.split(
    ' ',
  ),
  ...'request_params tool_input_schema messages sequence fan_out worker url mcp version canvas limits <<'.split(' '),
);
const line = fc.oneof(
  fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}`),
  fc.tuple(fc.nat(4), scalar).map(([depth, value]) => `${'  '.repeat(depth)}- ${value}`),
  fc.constantFrom(...cardTypes).map((type) => `type: ${type}`),
  fc.constantFrom('---', '+++', '---USER', '\t', '# note', '{{file:x}}'),
  fc.string(),
);
const text = fc
  .tuple(fc.constantFrom('', '\uFEFF'), fc.constantFrom('\n', '\r\n'), fc.array(line, { maxLength: 12 }))
  .map(([bom, eol, lines]) => `${bom}---${eol}${lines.join(eol)}${eol}---${eol}body`);
const file: fc.Arbitrary<FolderFile> = fc.oneof(
  text.map((value): FolderFile => ({ kind: 'text', text: value })),
  fc.string({ unit: 'binary' }).map((value): FolderFile => ({ kind: 'text', text: value })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => decodeFile(bytes)),
);
const folder: fc.Arbitrary<Folder> = fc.array(fc.tuple(path, file), { maxLength: 4 }).map((files) => new Map(files));

test('reading never throws and every place is inside its file', () => {
  fc.assert(
    fc.property(folder, (files) => {
      const parsed = readFolder(files);
      for (const issue of parsed.issues) {
        const read = files.get(issue.file);
        expect(read).toBeDefined();
        expect(issue.message).toMatch(/[.!?)]$/);
        if (read?.kind !== 'text') continue;
        const lines = textLines(read.text);
        expect(issue.line).toBeLessThanOrEqual(lines.length);
        expect(issue.column).toBeGreaterThanOrEqual(1);
        expect(issue.column).toBeLessThanOrEqual((lines[issue.line - 1]?.text ?? '').length + 1);
      }
      expect([...parsed.roles.keys()].sort()).toEqual([...files.keys()].sort());
    }),
    { numRuns: tries(1_000) },
  );
});

test('reading again, from new objects, gives the same', () => {
  fc.assert(
    fc.property(folder, (files) => {
      const copy = new Map([...files].map(([name, content]): [string, FolderFile] => [name, { ...content }]));
      expect(readFolder(copy)).toEqual(readFolder(files));
    }),
    { numRuns: tries(100) },
  );
});
