import { expect, test } from 'vitest';
import type { KnownServer, Listing } from '@/lib/base/known-servers';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { keepServerNews, readKnownServers } from './known-servers';
import { insertProject, removeProject } from './projects';

const { store } = await testDatabase();

const newProject = () => insertProject(store, 'Servers', folderOf({ 'a.md': 'a' }));
const listing = (tool: string, probedAt: number): Listing => ({
  tools: [{ name: tool, description: 'NUL: \0', inputSchema: {} }],
  resources: [],
  prompts: [],
  probedAt,
});
const prints = (tool: string) => ({ tools: { [tool]: `of ${tool}` }, resources: {}, prompts: {} });
const listed = (tool: string, at: number, server = 'time') =>
  ({ news: 'listed', server, listing: listing(tool, at), prints: prints(tool) }) as const;
const picked = (tool: string, first = false, agent = 'lead') =>
  ({ news: 'picked', server: 'time', agent, kind: 'tools', prints: { [tool]: `of ${tool}` }, first }) as const;

test('what a server listed and what was picked of it is there for everybody', async () => {
  const id = await newProject();
  await keepServerNews(store, id, [listed('get', 5), picked('get'), picked('get', false, 'kid')]);
  const expected: KnownServer = {
    listing: listing('get', 5),
    prints: prints('get'),
    picked: { kid: { tools: { get: 'of get' } }, lead: { tools: { get: 'of get' } } },
  };
  expect(await readKnownServers(store, id)).toEqual({ time: expected });
  expect(await readKnownServers(store, await newProject())).toEqual({});
});

test('an older list does not replace a newer one, and a first comparison does not replace a pick', async () => {
  const id = await newProject();
  await keepServerNews(store, id, [listed('new', 9), picked('old')]);
  await keepServerNews(store, id, [listed('old', 5), picked('new', true)]);
  const { time } = await readKnownServers(store, id);
  expect([time?.listing.tools[0]?.name, time?.picked.lead?.tools]).toEqual(['new', { old: 'of old' }]);
  await keepServerNews(store, id, [picked('new')]);
  expect((await readKnownServers(store, id)).time?.picked.lead?.tools).toEqual({ new: 'of new' });
});

test('a renamed server takes along what is known, unless there is such a server', async () => {
  const id = await newProject();
  await keepServerNews(store, id, [listed('get', 5), picked('get'), { news: 'renamed', from: 'time', to: 'clock' }]);
  expect((await readKnownServers(store, id)).clock?.picked).toEqual({ lead: { tools: { get: 'of get' } } });
  await keepServerNews(store, id, [listed('other', 6), { news: 'renamed', from: 'time', to: 'clock' }]);
  expect(Object.keys(await readKnownServers(store, id))).toEqual(['clock', 'time']);
});

test('only the servers that were listed last are kept, and a project takes all with it', async () => {
  const id = await newProject();
  const many = Array.from({ length: 103 }, (_, n) => listed('get', 100 + n, `server-${n}`));
  await keepServerNews(store, id, many);
  const kept = Object.keys(await readKnownServers(store, id));
  expect([kept.length, kept.includes('server-2'), kept.includes('server-3')]).toEqual([100, false, true]);
  await removeProject(store, id);
  expect(await readKnownServers(store, id)).toEqual({});
  await expect(keepServerNews(store, id, many)).rejects.toMatchObject({ code: 'not_found' });
});
