import { readFileSync } from 'node:fs';

const named: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, mebibyte: 1024 ** 2 };

/** Returns the value of `name = 32 * mebibyte` or of `name: 64 * 1024` in a file, for tests of pages that say numbers. */
export function constantOf(file: string, name: string): number {
  const source = readFileSync(file, 'utf8');
  const [, text] =
    new RegExp(`^\\s*(?:(?:export )?const )?.*\\b${name}(?: =|:) ([\\d(][^,;}\\n]*)`, 'm').exec(source) ?? [];
  if (text === undefined) throw new Error(`${file} has no number ${name}`);
  const factors = text.trim().split(' * ');
  return factors.reduce((product, each) => product * (named[each] ?? Number(each.replaceAll('_', ''))), 1);
}
