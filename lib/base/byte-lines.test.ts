import { expect, test } from 'vitest';
import { ByteLines } from './byte-lines';
import { GrowingBytes } from './growing-bytes';

const bytes = (text: string) => new TextEncoder().encode(text);

function linesOf(chunks: readonly string[], maxBytes = 100): { lines: string[]; fits: boolean[] } {
  const lines: string[] = [];
  const reader = new ByteLines(maxBytes);
  const fits = chunks.map((chunk) => reader.feed(bytes(chunk), (line) => lines.push(new TextDecoder().decode(line))));
  return { lines, fits };
}

test('lines are whole however they arrive', () => {
  const text = 'one\r\n\ntwo ä€😀\nthree\n';
  const whole = linesOf([text]);
  expect(whole.lines).toEqual(['one', '', 'two ä€😀', 'three']);
  expect(linesOf([...text]).lines).toEqual(whole.lines);
  expect(linesOf(['no end']).lines).toEqual([]);
});

test('a line that is too long is refused, with its end or without', () => {
  expect(linesOf(['1234\n', '12345\n', 'ok\n'], 4)).toEqual({ lines: ['1234', 'ok'], fits: [true, false, true] });
  expect(linesOf(['123', '45'], 4)).toEqual({ lines: [], fits: [true, false] });
});

test('a long line in parts of a byte copies each byte a few times at most, and takes twice its size', () => {
  const growing = new GrowingBytes();
  let copied = 0;
  for (let i = 0; i < 100_000; i += 1) {
    const before = growing.capacity;
    growing.add(new Uint8Array([i % 256]));
    if (growing.capacity !== before) copied += growing.length;
  }
  expect(copied).toBeLessThan(300_000);
  expect(growing.capacity).toBeLessThan(200_001);
  expect(growing.take()).toEqual(Uint8Array.from({ length: 100_000 }, (_, i) => i % 256));
  expect(growing.capacity).toBe(0);
});
