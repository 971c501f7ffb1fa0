import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/read-folder';
import { projectGraph } from '@/lib/graph/project';
import type { SeededRandom } from '@/lib/testing/seeded-random';

/** One kind of input that somebody could send to make a process slow. */
export interface NastyFamily {
  readonly name: string;
  /** Characters of the largest input that the test makes. */
  readonly largest: number;
  /** An input of about `size` characters. Two inputs are never equal, so that nothing remembered helps. */
  make(size: number, random: SeededRandom): NastyInput;
}

export interface NastyInput {
  /** Characters that the function under test is given. */
  readonly size: number;
  run(): unknown;
}

export type Files = Readonly<Record<string, string>>;

/** Folders that are read, checked and drawn. */
export function folderFamily(
  name: string,
  largest: number,
  files: (size: number, random: SeededRandom) => Files,
): NastyFamily {
  return {
    name,
    largest,
    make(size, random) {
      const made = files(size, random);
      const salted = { ...made, 'salt.txt': String(random.below(1_000_000_000)) };
      const folder = folderOf(withSalt(salted, random.below(1_000_000_000)));
      return { size: sizeOf(made), run: () => projectGraph(readFolder(folder)) };
    },
  };
}

/** Texts that are handed to one function. */
export function textFamily(
  name: string,
  largest: number,
  text: (size: number, random: SeededRandom) => string,
  run: (text: string) => unknown,
): NastyFamily {
  return {
    name,
    largest,
    make(size, random) {
      const made = `${text(size, random)}`;
      return { size: made.length, run: () => run(made) };
    },
  };
}

export function sizeOf(files: Files): number {
  return Object.entries(files).reduce((sum, [path, text]) => sum + path.length + text.length, 0);
}

/** `count` pieces, one after another. */
export function many(count: number, piece: (index: number) => string): string {
  return Array.from({ length: Math.max(1, count) }, (_, index) => piece(index)).join('');
}

export function card(fields: string, body = 'Hello.'): string {
  return `---\n${fields}\n---\n${body}\n`;
}

/** A file that was read before, at the same path, is remembered: a comment at its end makes each text new. */
function withSalt(files: Files, salt: number): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      if (/\.[jt]s$/.test(path)) return [path, `${text}\n// ${salt}`];
      return [path, /\.(?:py|ya?ml)$/.test(path) ? `${text}\n# ${salt}` : `${text}\n${salt}`];
    }),
  );
}
