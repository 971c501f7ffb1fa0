import type { FolderFile } from '@/lib/cards/folder';

/** The content of a file as a program gets it: its text, or the hash of other bytes. Null if there is no such file. */
type GivenFile = string | { readonly hash: string; readonly size: number } | null;

/** A file that a draft and live changed in one place. */
interface LiveConflict {
  readonly path: string;
  /** What both began from. */
  readonly base: GivenFile;
  /** The file of the draft. */
  readonly ours: GivenFile;
  /** The file of the live revision. */
  readonly theirs: GivenFile;
}

/** What a person wants to have of a file with a conflict. */
export type Resolution = 'ours' | 'theirs' | { readonly text: string };

/** What an update of a draft from live asks for. */
export interface LiveUpdateRequest {
  /** The version of the draft and the number of the live revision that the person saw. */
  readonly version?: number | undefined;
  readonly live?: number | undefined;
  /** By path, for each conflict. */
  readonly resolutions?: Readonly<Record<string, Resolution>> | undefined;
}

/** What both sides changed, sorted by path. */
interface Merged {
  /** The version of the draft, and the number of the live revision. */
  readonly version: number;
  readonly live: number;
  /** Files that live alone changed, added or removed. The draft has them as live does. */
  readonly taken: readonly string[];
  /** Files that both changed in different places. */
  readonly merged: readonly string[];
}

/** The outcome of an update of a draft from live. */
export type DraftUpdate =
  /** The draft has what is live. Nothing was saved. */
  | { readonly state: 'current'; readonly version: number; readonly live: number }
  /** The draft is saved. `resolved` are the files with a conflict. */
  | ({ readonly state: 'updated'; readonly resolved: readonly string[] } & Merged)
  /** Nothing was saved, because a person must choose. */
  | ({ readonly state: 'conflicts'; readonly conflicts: readonly LiveConflict[] } & Merged);

export function givenFile(file: FolderFile | undefined): GivenFile {
  if (file === undefined) return null;
  if (file.kind === 'text') return file.text;
  if (file.kind === 'stored') return { hash: file.hash, size: file.size };
  throw new Error('Bug: the bytes of a file were about to be sent to an editor');
}

export function fileGiven(given: GivenFile): FolderFile | undefined {
  if (given === null) return undefined;
  return typeof given === 'string' ? { kind: 'text', text: given } : { kind: 'stored', ...given };
}
