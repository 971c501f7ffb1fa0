import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitSource } from './source';

test.each([
  ['a.md', '---\nname: a\n---\nbody\n', { fence: '---', yaml: 'name: a\n', body: 'body\n' }],
  ['a.md', '\uFEFF\r\n\r\n---\r\nname: a\r\n---\r\nbody', { fence: '---', yaml: 'name: a\r\n', body: 'body' }],
  ['a.md', '\uFEFF---\nname: a\n---\nbody', { fence: '---', yaml: 'name: a\n', body: 'body' }],
  ['a.md', '  ---\nname: a\n---\nbody', { fence: '---', yaml: 'name: a\n', body: 'body' }],
  ['a.md', '---  \nname: a\n----\nbody', { fence: '---', yaml: 'name: a\n', body: 'body' }],
  ['a.md', '---\n---\nbody', { fence: '---', yaml: '', body: 'body' }],
  ['a.md', '---\nname: |\n  ---\n---\nb\n---\nc', { fence: '---', yaml: 'name: |\n  ---\n', body: 'b\n---\nc' }],
  ['a.md', '---\nname: a\n', { fence: '---', yaml: undefined, body: '---\nname: a\n' }],
  ['a.md', '---USER\nhello\n', { fence: undefined, yaml: undefined, body: '---USER\nhello\n' }],
  ['a.md', '+++\nname = "a"\n+++\n', { fence: '+++', yaml: undefined, body: '+++\nname = "a"\n+++\n' }],
  ['a.md', '-----\nText\n-----\n', { fence: undefined, yaml: undefined, body: '-----\nText\n-----\n' }],
  ['a.md', '# Title\n---\n', { fence: undefined, yaml: undefined, body: '# Title\n---\n' }],
  ['a.md', '', { fence: undefined, yaml: undefined, body: '' }],
  ['A.YML', '\uFEFFname: a\n', { fence: undefined, yaml: 'name: a\n', body: undefined }],
])('%s %j', (path, text, { fence, yaml, body }) => {
  const source = splitSource(path, text);
  expect([source.fence, source.yaml?.text, source.body?.text]).toEqual([fence, yaml, body]);
});

test('slices are where they say', () => {
  const piece = fc.constantFrom('---', '\n', '\r\n', 'name: a', ' ', '\uFEFF', '+++', 'é', '---\n');
  fc.assert(
    fc.property(fc.constantFrom('a.md', 'a.yaml'), fc.array(piece), (path, pieces) => {
      const text = pieces.join('');
      const { yaml, body } = splitSource(path, text);
      for (const part of [yaml, body]) {
        if (part !== undefined) expect(text.slice(part.offset, part.offset + part.text.length)).toBe(part.text);
      }
    }),
  );
});
