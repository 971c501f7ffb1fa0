import type { Fixture } from '@/lib/cards/fixture';
import { fixturePath } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { readingOf } from './read-folder';

/** Reads one test of a folder; `undefined` if it is not there or has a fault. Before it is run, `soundFixtureOf` reads it. */
export function fixtureOf(folder: Folder, name: string): Fixture | undefined {
  const path = fixturePath(name);
  const file = folder.get(path);
  return file && readingOf(path, file).fixture?.fixture;
}
