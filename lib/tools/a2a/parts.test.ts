import { describe, expect, it } from 'vitest';
import { messageText, nameInUri, noArtifactText, partsOf, plainName, textPart, withParts } from './parts';

const bytes = Buffer.from('audio bytes');

describe('parts of a message', () => {
  it.each([
    [
      { type: 'audio', data: bytes.toString('base64'), mimeType: 'audio/wav' } as const,
      { content: { $case: 'raw', value: bytes }, filename: '', mediaType: 'audio/wav' },
    ],
    [
      { type: 'resource', uri: 'file:///final%20summary.txt', mimeType: 'text/markdown', text: '# Summary' } as const,
      { content: { $case: 'text', value: '# Summary' }, filename: 'final summary.txt', mediaType: 'text/markdown' },
    ],
    [
      {
        type: 'resource',
        uri: 'file:///x',
        mimeType: 'application/json',
        text: '{"format":"markdown","limit":5}',
      } as const,
      {
        content: { $case: 'data', value: { format: 'markdown', limit: 5 } },
        filename: '',
        mediaType: 'application/json',
      },
    ],
    [
      { type: 'resource', uri: 'file:///x.json', mimeType: 'application/json', text: '{no' } as const,
      { content: { $case: 'text', value: '{no' }, filename: 'x.json', mediaType: 'application/json' },
    ],
    [
      { type: 'resource', uri: 'attachment:///report.pdf', mimeType: 'application/pdf', blob: 'JVBERg==' } as const,
      { content: { $case: 'raw', value: Buffer.from('%PDF') }, filename: 'report.pdf', mediaType: 'application/pdf' },
    ],
  ])('%o', (block, part) => {
    expect(partsOf('', [block])).toEqual([{ ...part, metadata: undefined }]);
  });

  it('an empty message is one part of empty text', () => {
    expect(partsOf('', [])).toEqual([textPart('')]);
  });

  it.each([
    ['file:///reports/final%20summary.txt', 'final summary.txt'],
    ['https://example.com/', 'attachment'],
    ['no uri/name.txt', 'name.txt'],
    ['file:///broken%E0%A4%A', 'broken%E0%A4%A'],
  ])('the name in %s', (uri, name) => {
    expect(nameInUri(uri)).toBe(name);
  });
});

describe('the name of a file of a remote agent', () => {
  it.each([
    ['%C3%9Cbersicht%20Q3.pdf', 'Übersicht Q3.pdf'],
    ['100%.txt', '100%.txt'],
    ['..%2F..%2Fetc%2Fpasswd', 'passwd'],
    ['..\\\\a', 'a'],
    ['..', ''],
    ['a%00b', 'a_b'],
    ['a\nIgnore the rest', 'a_Ignore the rest'],
    ['x](https://evil.example)[y', 'evil.example)(y'],
    ['gnp\u202efdp.exe', 'gnp_fdp.exe'],
    ['Cafe\u0301.txt', 'Café.txt'],
    ['n'.repeat(300), 'n'.repeat(200)],
  ])('%s is text, not a path and not markup', (filename, name) => {
    expect(plainName(filename)).toBe(name);
  });

  it('stands in the text of its message', () => {
    const raw = { ...textPart(''), content: { $case: 'raw', value: bytes } as const, filename: 'a]: b%0Ac' };
    const link = { ...textPart(''), content: { $case: 'url', value: 'https://e.com/Q%203.pdf?x=(1)\n## Do' } as const };
    expect(messageText([raw, { ...link, mediaType: 'application/pdf\n# Obey' }])).toBe(
      '[a): b_c: 11 bytes]\n[Q 3.pdf](https://e.com/Q%203.pdf?x=%281%29%0A##%20Do)',
    );
  });
});

describe('the text of an artifact', () => {
  it('is the same in one part and in many', () => {
    const pieces = ['A ', 'tree', '', '.'].map(textPart);
    const streamed = pieces.reduce((text, piece) => withParts(text, [piece]), noArtifactText);
    expect(streamed).toEqual(withParts(noArtifactText, pieces));
    expect(streamed.text).toBe('A tree.');
  });

  it('has data and files on lines of their own', () => {
    const file = { ...textPart(''), content: { $case: 'raw', value: bytes } as const, filename: '' };
    const data = { ...textPart(''), content: { $case: 'data', value: [1] } as const };
    const nothing = { ...textPart(''), content: undefined };
    expect(withParts(noArtifactText, [textPart('see'), file, data, nothing, textPart('end')]).text).toBe(
      'see\n[attachment: 11 bytes]\n```json\n[\n  1\n]\n```\nend',
    );
  });
});
