import { expect, it } from 'vitest';
import { qrCode } from './qr-code';
import { sha256 } from './sha256';

const drawn = (text: string) => qrCode(text).map((row) => row.map((dark) => (dark ? '#' : '.')).join(''));
/** 33 to 122, again and again. */
const textOf = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7) % 90))).join('');

it('a short text becomes the code that a reader of QR codes reads', () => {
  // The same modules as the npm package qrcode 1.5 makes with level M and mask 0; jsqr 1.4 reads it.
  expect(drawn('Callboard')).toEqual([
    '#######....##.#######',
    '#.....#.##.#..#.....#',
    '#.###.#.......#.###.#',
    '#.###.#....##.#.###.#',
    '#.###.#.###.#.#.###.#',
    '#.....#..#..#.#.....#',
    '#######.#.#.#.#######',
    '..........###........',
    '#.#.#.#..#.#....#..#.',
    '##...#..###..#..##.##',
    '...##.#.#.#.#..######',
    '...#.#.#..#.........#',
    '.#..###..##.#...#...#',
    '........#..#...##.##.',
    '#######..#.#..###.###',
    '#.....#..#.###..#....',
    '#.###.#.#.##..##.....',
    '#.###.#..##...###.##.',
    '#.###.#.##..#..##.#.#',
    '#.....#.......###..#.',
    '#######.##..#.#.#..##',
  ]);
});

// Hashes of codes that were compared in the same way: one of each version.
it.each([
  [14, 21, '4e068540f142e2026ec416621edff070b81219fcfa6f423151c13769cca7c3dd'],
  [26, 25, 'b8ed07e03a4539bca5603ed533d4acc12c521eeac3600fd90d4ed2b98a2fdb36'],
  [42, 29, '3cc1057edd8f609ff5d207a826b57f23c2f5da1ad589d304512384927efd2099'],
  [62, 33, '6faa075e1fc2b98d1afcb7adf9382a66def11cc703c9cda1e09b8901ae58465d'],
  [84, 37, '86673b857c81e56b219ef58213f9f6758885911dc0beb49c0f55af084327fcb6'],
  [106, 41, 'f9bcfd24848dbd10c569e5f1a1947da159399af4842f6e0b157d53fbe45762be'],
  [122, 45, '2bbc5d3c104695bdfce800c8c1d6caac0ddfd1dc81c6dbd9e6e4954ddea6ac5e'],
  [152, 49, 'c54815032d8f85039106d0620265c0e5900064e1f06d9e550cea18aa1e6f4a51'],
  [180, 53, '42d9a3e0f87dccc94d9b1f7a7d7192f3361cce874109a4cb8e96a4900e6d577a'],
  [213, 57, '5062ad29ae21490a3b6a5467965f615448a940ddeb7f5cb27d498b457b9994da'],
] as const)('a text of %i bytes makes a code of %i rows', (length, rows, hash) => {
  const code = drawn(textOf(length));
  expect([code.length, sha256(new TextEncoder().encode(code.join('\n')))]).toEqual([rows, hash]);
});

it('a text that is too long is refused', () => {
  expect(() => qrCode('x'.repeat(214))).toThrow(RangeError);
});
