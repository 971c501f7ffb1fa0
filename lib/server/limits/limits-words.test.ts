import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitsOfPeople } from '@/lib/base/limits';
import { sharesOf } from '@/lib/jobs/queue-shares';
import { constantOf } from '@/lib/testing/constant-of';

/* The numbers in the sentences of docs/limits.md and in the code are equal. Its tables of tries have tests in app/accounts/limits-page.test.ts. */

const page = readFileSync('docs/limits.md', 'utf8').replaceAll('\n', ' ');

test.each<readonly [words: string, file: string, name: string, unit: number]>([
  ['# sign-ins wait at most there', 'lib/server/accounts/password-turns.ts', 'mostOthers', 1],
  ['has its own queue of #, of which one account takes three', 'lib/server/accounts/password-turns.ts', 'mostKnown', 1],
  ['A process has at most # streams of events', 'lib/server/limits/open-streams.ts', 'most', 1],
  ['an address with all its share links | # each', 'lib/server/limits/open-streams.ts', 'mostEach', 1],
  ['that wait for a run | # |', 'lib/server/limits/open-streams.ts', 'mostOfPerson', 1],
  ['The last # of the 500', 'lib/server/limits/open-streams.ts', 'reserve', 1],
  ['Of one person at most # wait', 'lib/server/reading/folder-reader.ts', 'maxOfOwner', 1],
  ['larger than # KiB are read in two threads', 'lib/server/importing/import-reader.ts', 'bytesReadHere', 1024],
  ['more than # MB of events', 'lib/server/runs.ts', 'mostBytesWithTexts', 1_000_000],
  ['back every # ms', 'lib/jobs/pauses.ts', 'longestMs', 1],
])('"%s" is what %s has as %s', (words, file, name, unit) => {
  expect(page).toContain(words.replace('#', (constantOf(file, name) / unit).toLocaleString('en-US')));
});

test('the defaults are those that people with accounts have', () => {
  const { runs, diskBytes } = limitsOfPeople;
  for (const [name, limit] of Object.entries(runs)) {
    const said = name === 'longestMs' ? `${(limit ?? 0) / 3_600_000} hours` : `${limit}`;
    expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|[^|]+\\| ${said} \\| none \\|`));
  }
  expect(page).toContain(`a project may hold ${(diskBytes ?? 0) / 1e9} GB`);
});

test('a worker has as many places, for one person and for others', () => {
  // "50 runs at once of one person, and ten more of others", and "eight tasks … and two more of others".
  expect(sharesOf(50)).toEqual({ workerConcurrency: 60, partitionWorkerConcurrency: 50 });
  const tasks = constantOf('lib/jobs/worker.ts', 'tasksAtOnce');
  expect(sharesOf(tasks)).toEqual({ workerConcurrency: 10, partitionWorkerConcurrency: 8 });
});
