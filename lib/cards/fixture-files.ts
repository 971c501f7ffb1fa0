import type { Folder } from './folder';

/** Where the tests of a folder are. Files elsewhere are no tests, whatever their names are. */
const place = /^tests\/([^/]+)\.(fixture\.yaml|recording\.jsonl)$/;
/** Files of the messages of tests. */
const attachmentPlace = /^tests\/[^/]+\.files\//;

/** Returns the name of the test that a file describes; `undefined` for any other file. */
export function fixtureNameOf(path: string): string | undefined {
  const [, name, what] = place.exec(path) ?? [];
  return what === 'fixture.yaml' ? name : undefined;
}

/** True for the files of tests. Agents do not see them, and fast-agent does not need them. */
export function isFixtureFile(path: string): boolean {
  return place.test(path) || attachmentPlace.test(path);
}

export function fixturePath(name: string): string {
  return `tests/${name}.fixture.yaml`;
}

export function recordingPath(name: string): string {
  return `tests/${name}.recording.jsonl`;
}

/** Returns the names of the tests of a folder, sorted. */
export function fixtureNames(folder: Folder): readonly string[] {
  return [...folder.keys()].flatMap((path) => fixtureNameOf(path) ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Returns the folder as agents see it, without its tests. */
export function withoutFixtures(folder: Folder): Folder {
  return new Map([...folder].filter(([path]) => !isFixtureFile(path)));
}
/** Returns the path of a file that comes with the message of a test. */
export function attachmentPath(name: string, file: string): string {
  return `tests/${name}.files/${file}`;
}

/** Says why a name cannot be that of a test, or `undefined`. */
export function fixtureNameFault(name: string): string | undefined {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,79}$/u.test(name) && !/[. ]$/.test(name)) return undefined;
  return 'Name the test with up to 80 letters, digits, spaces, dots, dashes and underscores. It begins with a letter or a digit.';
}
