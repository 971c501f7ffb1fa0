import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { locateField } from './locate';

const folder = folderOf({
  'a.md': '\uFEFF---\nname: lead\nservers:\n  - time\nempty:\n---\n\nDo it.\nNow.\n',
  'callboard.yaml': 'version: 1\ncanvas:\n  positions: {}\n',
});

describe('locateField', () => {
  it.each([
    ['a.md', ['name'], { line: 2, column: 7, endLine: 2, endColumn: 11 }],
    ['a.md', ['servers', 0], { line: 4, column: 5, endLine: 4, endColumn: 9 }],
    ['a.md', ['empty'], { line: 5, column: 1, endLine: 5, endColumn: 6 }],
    ['a.md', ['instruction'], { line: 8, column: 1, endLine: 9, endColumn: 5 }],
    ['a.md', ['absent'], undefined],
    ['callboard.yaml', ['canvas', 'positions'], { line: 3, column: 14, endLine: 3, endColumn: 16 }],
    ['none.md', ['name'], undefined],
  ])('%s %j', (file, path, location) => {
    expect(locateField(folder, file, path)).toEqual(location);
  });
});
