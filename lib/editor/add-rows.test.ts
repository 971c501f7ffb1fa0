import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { addRows, addRowsAt } from './add-rows';
import { addingCommands } from './editor-commands';
import { newAgentOf, nodeChoices } from './node-choices';
import { drawPicture } from './picture';

const folder = folderOf({
  'agent-cards/lead.md': '---\nname: lead\ndefault: true\nservers: [time]\nagents: [flow]\n---\nLead.\n',
  'agent-cards/flow.md': '---\ntype: chain\nname: flow\nsequence: [far]\n---\n',
  'agent-cards/far.md': '---\ntype: a2a\nname: far\nurl: https://far.test\n---\n',
  'agent-cards/both.md': '---\ntype: evaluator_optimizer\nname: both\ngenerator: lead\nevaluator: lead\n---\n',
  'hooks.py': 'async def audit(ctx, args, next):\n    return await next(args)\n',
  'tools.py': 'def half(x: int) -> int:\n    return x // 2\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
});
const picture = drawPicture(folder, undefined);

const kinds = (ids: readonly { readonly what: string }[]) => ids.map(({ what }) => what);
const agentKinds = kinds(addRows).filter((what) => !['server', 'function', 'hook', 'note'].includes(what));

test('the picker, the commands and the side panel list the same rows in the same order', () => {
  const picker = nodeChoices(picture, folder, { source: undefined, user: 'agent:lead' });
  const isNew = (group: string) => group === 'New' || group === 'Workflows';
  expect(picker.filter(({ group }) => isNew(group)).map(({ label }) => label)).toEqual(
    addRows.map(({ label }) => label),
  );
  expect(addingCommands.map(({ what }) => what)).toEqual(kinds(addRows));
  expect(kinds(addRows).slice(0, 5)).toEqual(['agent', 'server', 'function', 'hook', 'note']);
});

test('at the end of a wire is only what the node where it begins may have', () => {
  expect(kinds(addRowsAt(picture, 'agent:lead'))).toEqual(kinds(addRows).filter((what) => what !== 'note'));
  expect(kinds(addRowsAt(picture, 'agent:flow'))).toEqual(
    kinds(addRows).filter((what) => what === 'hook' || agentKinds.includes(what)),
  );
  expect(kinds(addRowsAt(picture, 'agent:both'))).toEqual(['hook']);
  expect(kinds(addRowsAt(picture, 'agent:far'))).toEqual([]);
  expect(kinds(addRowsAt(picture, 'server:time'))).toEqual([]);
});

test('at a server are the agents that may use it, and nothing else', () => {
  const choices = nodeChoices(picture, folder, { source: 'server:time', user: undefined });
  expect(choices).toEqual([]);
  const more = folderOf({ ...Object.fromEntries([['agent-cards/kid.md', '---\nname: kid\n---\nHelp.\n']]) });
  const whole = new Map([...folder, ...more]);
  const found = nodeChoices(drawPicture(whole, undefined), whole, { source: 'server:time', user: undefined });
  expect(found.map(({ group, label }) => `${group}: ${label}`)).toEqual(['Use it in: kid']);
});

test('a chain is offered no functions, a remote agent no hooks', () => {
  const groups = (source: string) =>
    new Set(nodeChoices(picture, folder, { source, user: source }).map(({ group }) => group));
  expect(groups('agent:lead')).toContain('Function tools');
  expect(groups('agent:flow')).not.toContain('Function tools');
  expect(groups('agent:flow')).toContain('Hooks');
  expect(groups('agent:far')).not.toContain('Hooks');
});

test('without an agent, new code is listed with the reason why there is none', () => {
  const empty = drawPicture(new Map(), undefined);
  const choices = nodeChoices(empty, new Map(), { source: undefined, user: undefined });
  expect(choices.filter(({ disabled }) => disabled).map(({ label, note }) => `${label}: ${note}`)).toEqual([
    'Function tool: Add an agent first, which will use it.',
    'Hook: Add an agent first, which will use it.',
  ]);
});

test('a typed name is offered as a new agent, unless an agent has it or it names code', () => {
  const made = (typed: string) => newAgentOf(picture, typed);
  expect([made('poet'), made(' my poet ')]).toEqual(['poet', 'my_poet']);
  expect([made(''), made('lead'), made('tools.py:half')]).toEqual([undefined, undefined, undefined]);
});
