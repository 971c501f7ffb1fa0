import type { Issue } from '@/lib/base/issue';
import type { Fixture } from '@/lib/cards/fixture';
import { fixturePath } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { readingOf } from './read-folder';

/** Reads one test of a folder. Without a fixture the first issue says why. */
export function fixtureOf(
  folder: Folder,
  name: string,
): { readonly fixture: Fixture | undefined; readonly issues: readonly Issue[] } {
  const path = fixturePath(name);
  const file = folder.get(path);
  if (file === undefined) return { fixture: undefined, issues: [] };
  const { fixture, issues } = readingOf(path, file);
  return { fixture: fixture?.fixture, issues };
}
