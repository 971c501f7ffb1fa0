import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import type { SeededRandom } from '@/lib/testing/seeded-random';

/** A kind of input that could make a process slow. */
export interface NastyFamily {
  readonly name: string;
  /** The size of the largest input, in characters. */
  readonly largest: number;
  /** Makes an input of about `size` characters. Inputs are never equal, so caches have no effect. */
  make(size: number, random: SeededRandom): NastyInput;
}

export interface NastyInput {
  /** The size of the input, in characters. */
  readonly size: number;
  run(): unknown;
}

export type Files = Readonly<Record<string, string>>;

/** Makes a family of folders, which are read, checked and drawn. */
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

/** Makes a family of texts for one function. */
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

/** Joins `count` pieces. */
export function many(count: number, piece: (index: number) => string): string {
  return Array.from({ length: Math.max(1, count) }, (_, index) => piece(index)).join('');
}

export function card(fields: string, body = 'Hello.'): string {
  return `---\n${fields}\n---\n${body}\n`;
}

/** Adds a comment to each file, so that readings cached by path and text are not used. */
function withSalt(files: Files, salt: number): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      if (/\.[jt]s$/.test(path)) return [path, `${text}\n// ${salt}`];
      return [path, /\.(?:py|ya?ml)$/.test(path) ? `${text}\n# ${salt}` : `${text}\n${salt}`];
    }),
  );
}
