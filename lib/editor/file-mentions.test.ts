import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileMentions } from './file-mentions';

const files = ['hooks.ts', 'agent-cards/lead.md', 'code/tools.py', 'a/same.ts', 'b/same.ts'];
const placesIn = (text: string) => fileMentions(text, files).flatMap(({ place }) => place ?? []);

describe('fileMentions', () => {
  it('finds a file with its line and column between other words', () => {
    expect(fileMentions('At hooks.ts:12:5, in guard', files)).toEqual([
      { text: 'At ' },
      { text: 'hooks.ts:12:5', place: { file: 'hooks.ts', line: 12, column: 5 } },
      { text: ', in guard' },
    ]);
  });

  it.each([
    ['agent-cards/lead.md:3', 'agent-cards/lead.md', 3],
    ['./hooks.ts:1', 'hooks.ts', 1],
    ['../code/tools.py:2', 'code/tools.py', 2],
    ['(/tmp/run-1/code/tools.py:7)', 'code/tools.py', 7],
    ['C:\\runs\\1\\code\\tools.py:7', 'code/tools.py', 7],
    ['File "/tmp/run-1/code/tools.py", line 9, in add', 'code/tools.py', 9],
    ['lead.md:4', 'agent-cards/lead.md', 4],
  ])('%s is line of a file', (text, file, line) => {
    expect(placesIn(text)).toEqual([{ file, line, column: 1 }]);
  });

  it('leaves what is no file of the project, or may be several', () => {
    expect(placesIn('other.ts:1 same.ts:2 hooks.ts 12:30 http://127.0.0.1:80')).toEqual([]);
  });

  it('keeps every character of any text', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('hooks.ts:1', 'a/same.ts:2:3', ':', '"', 'File "', '\n'));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        expect(
          fileMentions(text, files)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});
