import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPath, decodeFile, encodeFile, findPathClash, folderOf } from './files';

describe('decodeFile', () => {
  it('gives every byte back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect([...encodeFile(decodeFile(bytes))]).toEqual([...bytes]);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = new TextEncoder().encode(text);
        expect([...encodeFile(decodeFile(bytes))]).toEqual([...bytes]);
      }),
    );
  });

  it('keeps a BOM as a character', () => {
    expect(decodeFile(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ kind: 'text', text: '\uFEFFa' });
  });

  it('leaves what is not UTF-8, or holds NUL, as bytes', () => {
    expect(decodeFile(new Uint8Array([0xff, 0xfe])).kind).toBe('binary');
    expect(decodeFile(new Uint8Array([0x61, 0])).kind).toBe('binary');
  });
});

describe('checkPath', () => {
  it.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../b',
    'a\\b',
    'a\0b',
    'a//b',
    './a',
    'C:/x',
    'x'.repeat(513),
    `a/${'é'.repeat(128)}`,
  ])('refuses %j', (path) => {
    expect(checkPath(path)?.code).toBe('bad-path');
  });

  it.each(['a.md', 'agent-cards/lead.md', '..a/b..', 'ünï/文.md'])('takes %j', (path) => {
    expect(checkPath(path)).toBeUndefined();
  });
});

describe('findPathClash', () => {
  it('names the file that is a folder of another', () => {
    expect(findPathClash(['a/b', 'a.md', 'a/b/c'])).toBe('a/b');
    expect(findPathClash(['a', 'a.md/b', 'a/b'])).toBe('a');
    expect(findPathClash(['a.md', 'a/b', 'a/c'])).toBeUndefined();
  });
});

describe('folderOf', () => {
  it('makes text files', () => {
    expect(folderOf({ 'a.md': 'x' })).toEqual(new Map([['a.md', { kind: 'text', text: 'x' }]]));
  });
});
