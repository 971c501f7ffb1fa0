import { expect, test } from 'vitest';
import type { Listing } from '@/lib/base/known-servers';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { listedNews, pickedNews, withListing, withPicked, withServerRenamed } from './known-servers';
import { driftProblems, filterDrifts } from './server-drift';

const listing = (tools: Record<string, string>): Listing => ({
  tools: Object.entries(tools).map(([name, description]) => ({ name, description, inputSchema: { type: 'object' } })),
  resources: [{ uri: 'file:///a', name: 'A' }],
  prompts: [],
  probedAt: 5,
});
const folderWith = (fields: string) => folderOf({ 'lead.md': `---\nname: lead\nservers: [time]\n${fields}---\n` });
const picked = (tools: Record<string, string>) => withPicked(withListing({}, 'time', listing(tools)), 'time', 'lead');
const problems = (fields: string, known: ReturnType<typeof picked>) => {
  const folder = folderWith(fields);
  return driftProblems(filterDrifts(readFolder(folder), known), folder).map(
    ({ severity, line, column, message }) => `${severity} ${line}:${column} ${/\((.*)\)/.exec(message)?.[1]}`,
  );
};

test('a list of tools that is as it was when it was picked has not drifted', () => {
  const known = picked({ get_time: 'Tells.', convert: 'Turns.' });
  const again = withListing(known, 'time', listing({ convert: 'Turns.', get_time: 'Tells.' }));
  expect(problems('tools: {time: [get_time]}\n', again)).toEqual([]);
});

test('new, gone and changed tools are told at the filter', () => {
  const known = picked({ get_time: 'Tells.', find_a: 'Finds.', find_b: 'Finds.', other: 'Other.' });
  const now = withListing(known, 'time', listing({ get_time: 'Tells it.', find_b: 'Finds.', extra: 'More.' }));
  expect(problems("tools: {time: [get_time, 'find_*']}\n", now)).toEqual([
    'warning 4:15 gone: find_a; changed: get_time; new: extra',
  ]);
  // A tool that the filter does not take may change and go.
  expect(problems('tools: {time: [find_b]}\n', now)).toEqual(['info 4:15 new: extra']);
});

test('without a filter everything is offered, so nothing can drift', () => {
  const now = withListing(picked({ a: '' }), 'time', listing({ b: '' }));
  expect(problems('', now)).toEqual([]);
});

test('a name that the server never listed is gone, also when nobody picked here', () => {
  const known = withListing({}, 'time', listing({ get_time: '' }));
  expect(problems('tools: {time: [get_tiem]}\nresources: {time: ["file:///*"]}\n', known)).toEqual([
    'warning 4:15 gone: get_tiem',
  ]);
});

test('to accept what changed ends the drift, of the accepted kinds only', () => {
  const now = withListing(picked({ a: '' }), 'time', listing({ a: '', b: '' }));
  const filter = 'tools: {time: [a]}\n';
  expect(problems(filter, withPicked(now, 'time', 'lead', ['prompts']))).toEqual(['info 4:15 new: b']);
  expect(problems(filter, withPicked(now, 'time', 'lead', ['tools']))).toEqual([]);
});

test('a tool that stops declaring that it only reads has changed, and a tool that begins to declare it has not', () => {
  const as = (readOnly: boolean | undefined): Listing => ({
    ...listing({}),
    tools: [{ name: 'a', inputSchema: { type: 'object' }, readOnly }],
  });
  const from = (was: boolean | undefined, is: boolean | undefined) => {
    const known = withPicked(withListing({}, 'time', as(was)), 'time', 'lead');
    const now = withListing(known, 'time', as(is));
    // What a review is given for changes with every print that is another.
    const isSame = known.time?.prints.tools.a === now.time?.prints.tools.a;
    return [...problems('tools: {time: [a]}\n', now), isSame ? 'same print' : 'another print'];
  };
  expect(from(true, false)).toEqual(['info 4:15 changed: a', 'another print']);
  expect(from(true, undefined)).toEqual(['info 4:15 changed: a', 'another print']);
  expect(from(false, true)).toEqual(['another print']);
  expect(from(undefined, false)).toEqual(['same print']);
});

test('what is known goes with a new name, and schemas that are too large are not told', () => {
  const known = picked({ a: 'A.' });
  expect(withServerRenamed(known, 'time', 'clock')).toEqual({ clock: known.time });

  const wide: Listing = {
    ...listing({}),
    tools: [{ name: 'a', inputSchema: { type: 'object', description: 'x'.repeat(500_000) } }],
  };
  const large = withPicked(withListing({}, 'time', wide), 'time', 'lead');
  const [news] = listedNews(large, 'time');
  expect(news?.news === 'listed' && news.listing.tools).toEqual([{ name: 'a', inputSchema: {} }]);
  expect(news?.news === 'listed' && news.prints).toEqual(large.time?.prints);
  expect(pickedNews(large, 'time', 'lead', { kinds: ['tools'], first: true })).toEqual([
    { news: 'picked', server: 'time', agent: 'lead', kind: 'tools', prints: large.time?.prints.tools, first: true },
  ]);
  expect([listedNews({}, 'time'), pickedNews({}, 'time', 'lead')]).toEqual([[], []]);
});
