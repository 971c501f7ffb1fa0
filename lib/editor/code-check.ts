import type { Issue } from '@/lib/base/issue';
import { type CodeUse, codeUses } from '@/lib/cards/check/code-uses';
import { languageOf } from '@/lib/cards/code/code-scan';
import { roleByName } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';

/** Checks the code of `uses`, and tests, in another thread. `files` has the texts of scripts and tests, and every other file without its content. */
export type ParseCode = (files: Folder, uses: readonly CodeUse[]) => Promise<readonly Issue[]>;

/**
 * Keeps the faults of the JavaScript and TypeScript that a project loads, and of what its tests expect. They are looked for again when a file
 * of these, or who loads it, has changed; the faults of before stay until then. `redraw` is called when the faults have changed.
 */
export function createCodeCheck(parse: ParseCode | undefined, redraw: () => void) {
  let found: readonly Issue[] = [];
  let asked: Asked = { key: '', read: new Map() };
  let isAsking = false;
  let isBehind = false;

  async function ask(next: Asked, folder: Folder, uses: readonly CodeUse[]) {
    if (parse === undefined) return;
    asked = next;
    isAsking = true;
    const isNothing = uses.length === 0 && ![...next.read.keys()].some(isTest);
    const issues = isNothing ? [] : await parse(new Map([...folder].map(slim)), uses);
    isAsking = false;
    const isOther = JSON.stringify(issues) !== JSON.stringify(found);
    found = issues;
    // A drawing looks again, also for what was drawn meanwhile.
    if (isOther || isBehind) redraw();
    isBehind = false;
  }

  return {
    /** The faults that are known. */
    issues: () => found,
    /** Looks at the code of a folder that was drawn. */
    look(folder: Folder, parsed: ParsedFolder): void {
      if (parse === undefined) return;
      const uses = codeUses(parsed).filter(({ file }) => languageOf(file) === 'javascript');
      const next = { key: JSON.stringify([folder.size, uses]), read: filesRead(folder) };
      if (isSame(asked, next)) return;
      if (isAsking) isBehind = true;
      else void ask(next, folder, uses);
    },
  };
}

interface Asked {
  readonly key: string;
  /** Scripts and tests. */
  readonly read: ReadonlyMap<string, FolderFile>;
}

function filesRead(folder: Folder): ReadonlyMap<string, FolderFile> {
  return new Map([...folder].filter(([path]) => isRead(path)));
}

function isTest(path: string): boolean {
  return roleByName(path) === 'fixture';
}

function isRead(path: string): boolean {
  return languageOf(path) === 'javascript' || isTest(path);
}

function isSame(a: Asked, b: Asked): boolean {
  if (a.key !== b.key || a.read.size !== b.read.size) return false;
  for (const [path, file] of a.read) if (b.read.get(path) !== file) return false;
  return true;
}

const nothing: FolderFile = { kind: 'text', text: '' };

function slim([path, file]: readonly [string, FolderFile]): [string, FolderFile] {
  return [path, file.kind === 'text' && !isRead(path) ? nothing : file];
}
