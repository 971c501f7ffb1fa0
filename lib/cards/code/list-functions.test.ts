import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { listFunctions, signatureOf } from './list-functions';

const python = `import math

LIMIT = 3


def add_one(x: int) -> int:
    """Add one to a number.

    More about it.
    """
    return x + 1


async def find(
    text: str,  # what to find
    where: dict[str, list[int]] | None = None,
    *,
    most: int = 5,
) -> str:
    'Finds text.'
    return text


def plain(a, *rest, **more): return a
`;
const typescript = `/** Not about the next one. */
const pattern = 1;

/**
 * Adds numbers,
 * all of them.
 * @param numbers which
 */
export async function add(numbers: Record<string, number[]>, by?: number, scale = 2): Promise<number> {
  return by ?? scale;
}
export const twice = (x: number) => x * 2;
export const late = async ({ city, days }: { city: string; days?: number }) => city;
function hidden(x) { return x; }
`;

test('functions are listed with their line, parameters and description', () => {
  const folder = folderOf({
    't.py': python,
    'src/t.ts': typescript,
    'notes.md': 'def no(): pass',
    'bad.py': "x = 'open",
  });
  const found = listFunctions(folder).map((one) => [
    `${one.file}:${one.line}`,
    signatureOf(one),
    one.description,
    one.isExported,
  ]);
  expect(found).toEqual([
    ['src/t.ts:9', 'add(numbers: Record<string, number[]>, by?: number, scale?)', 'Adds numbers, all of them.', true],
    ['src/t.ts:12', 'twice(x: number)', undefined, true],
    ['src/t.ts:13', 'late({ city, days }: { city: string; days?: number })', undefined, true],
    ['src/t.ts:14', 'hidden(x)', undefined, false],
    ['t.py:6', 'add_one(x: int)', 'Add one to a number.', true],
    ['t.py:14', 'find(text: str, where?: dict[str, list[int]] | None, most?: int)', 'Finds text.', true],
    ['t.py:24', 'plain(a)', undefined, true],
  ]);
});

test('a file is read once until it changes', () => {
  const folder = folderOf({ 't.py': python });
  const [first] = listFunctions(folder);
  const [again] = listFunctions(new Map(folder));
  expect(again).toBe(first);
});
