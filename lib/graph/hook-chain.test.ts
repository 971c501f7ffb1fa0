import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from './project';

test('a chain shows the run’s hooks, those of agent_hooks and the card’s own, in that order', () => {
  const parsed = readFolder(
    folderOf({
      'agent-cards/lead.md': '---\nname: lead\nagents: [kid]\ntool_hooks: [../hooks.py:own]\n---\nLead.\n',
      'agent-cards/kid.md': '---\nname: kid\n---\nHelp.\n',
      'hooks.py': 'async def own(ctx, args, call_next):\n    return await call_next(args)\n',
      'callboard.yaml': `version: 1
run_hooks: [gone.py:audit, {clamp: {argument: x, max: 10}}]
agent_hooks:
  lead: [{block: {when: {tool: [shell*, rm]}}}]
`,
    }),
  );
  const { chains } = projectGraph(parsed);
  expect(chains['agent:lead']?.map(({ spec, id, missing }) => [spec, id, missing])).toEqual([
    ['gone.py:audit', 'run_hooks.0', true],
    ['clamp x to −∞ … 10', 'run_hooks.1', false],
    ['block on shell*, rm', 'agent_hooks.0', false],
    ['../hooks.py:own', 'tool_hooks.0', false],
  ]);
  expect(chains['agent:kid']?.map(({ kind, place }) => [kind, place])).toEqual([
    ['code', 1],
    ['clamp', 2],
  ]);
});
