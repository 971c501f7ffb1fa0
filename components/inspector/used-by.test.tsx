import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PartUse, PartUses } from '@/lib/base/uses';
import { UsesLines } from './used-by';

const use: PartUse = {
  ...{ project: 'p', projectName: 'Shop', isOwn: true, places: ['main draft'], agents: [], tests: [], runs: 0 },
  isSame: true,
};
const none: PartUses = { uses: [use], grants: 0, earlierRuns: 0, unread: 0 };

function words(uses: PartUses | undefined, isFailed = false): string {
  const lines = <UsesLines kind="skill" draft="main" uses={uses} isFailed={isFailed} onAgain={() => {}} />;
  return renderToStaticMarkup(lines)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

test('nothing known yet, nothing found and nothing readable have different words', () => {
  expect(words(undefined)).toBe('Looking…');
  expect(words(none)).toBe('Used nowhere else.');
  expect(words({ ...none, uses: [] })).toBe('Used nowhere else.');
  expect(words(undefined, true)).toBe('This could not be read. Try again');
});

test('uses are listed with runs of earlier files and with files that were not looked into yet', () => {
  const known = { uses: [{ ...use, agents: ['writer'], runs: 2 }], grants: 1, earlierRuns: 3, unread: 4 };
  expect(words(known)).toBe(
    'main draft writer · 2 runs in 30 days One remembered approval in this project. 3 runs of earlier files in 30 days. 4 further sets of files were not looked into yet.',
  );
  expect(words({ ...none, grants: 2 })).toBe('Used nowhere else. 2 remembered approvals in this project.');
});
