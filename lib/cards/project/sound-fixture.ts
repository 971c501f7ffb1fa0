import type { Issue } from '@/lib/base/issue';
import type { Fixture } from '@/lib/cards/fixture';
import { fixturePath } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { expectationIssues } from './expectations';
import { readingOf } from './read-folder';

/**
 * Reads one test of a folder, with the patterns and the schema that it expects. Without a fixture the first issue says why: a test that is
 * understood in part could pass where it must fail.
 */
export function soundFixtureOf(
  folder: Folder,
  name: string,
): { readonly fixture: Fixture | undefined; readonly issues: readonly Issue[] } {
  const path = fixturePath(name);
  const file = folder.get(path);
  const reading = file && readingOf(path, file);
  const faults = reading?.fixture === undefined ? [] : expectationIssues(reading.fixture);
  const fixture = faults.length === 0 ? reading?.fixture?.fixture : undefined;
  return { fixture, issues: [...(reading?.issues ?? []), ...faults] };
}
