import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { distinctServers, startsOf } from '@/lib/trace/failed-starts';
import { failedWords } from '@/lib/trace/failed-words';
import { startProblems } from './failed-servers';

const failed = [
  { server: 'files', agentName: 'lead', message: 'files is dead', span: 1 },
  { server: 'files', agentName: 'kid', message: 'files is dead', span: 4 },
  { server: 'web', agentName: 'kid', message: 'web is dead', span: 5 },
];

test('servers that did not start are told by agent, by server and once each', () => {
  expect(startsOf(failed, { agent: 'kid' }).map(({ server }) => server)).toEqual(['files', 'web']);
  expect(startsOf(failed, { server: 'files' }).map(({ agentName }) => agentName)).toEqual(['lead', 'kid']);
  expect(distinctServers(failed)).toEqual([
    { name: 'files', message: 'files is dead' },
    { name: 'web', message: 'web is dead' },
  ]);
  expect([failedWords([1]), failedWords(failed)]).toEqual(['1 server did not start', '3 servers did not start']);
});

test('they are problems of the cards that name them, at the name, as long as those are there', () => {
  const folder = folderOf({
    'agent-cards/kid.md':
      '---\nname: kid\nservers:\n  - time\n  - web\nmcp_connect:\n  files:\n    target: "@acme/files"\n---\n',
  });
  const problems = startProblems(failed, readFolder(folder).cards, folder);
  expect(problems.map(({ file, line, severity, message }) => [file, line, severity, message])).toEqual([
    ['agent-cards/kid.md', 8, 'error', 'In the last run: files is dead'],
    ['agent-cards/kid.md', 5, 'error', 'In the last run: web is dead'],
  ]);
});
