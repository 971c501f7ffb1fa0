import { expect, test } from 'vitest';
import { linesOf } from './hook-report-text';

test('texts of a result stand as they are, everything else as JSON', () => {
  expect(linesOf('a\nb')).toBe('a\nb');
  expect(linesOf({ x: 1 })).toBe('{\n  "x": 1\n}');
  expect(
    linesOf({
      content: [
        { type: 'text', text: 'one\ntwo' },
        { type: 'image', data: 'AA', mimeType: 'image/png' },
      ],
      isError: true,
      errorCode: 'TOOL_FAILED',
      structuredContent: { n: 1 },
    }),
  ).toBe(
    'Error TOOL_FAILED:\none\ntwo\n{"type":"image","data":"AA","mimeType":"image/png"}\nStructured:\n{\n  "n": 1\n}',
  );
});
