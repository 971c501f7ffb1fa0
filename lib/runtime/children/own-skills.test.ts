import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { textOf } from '@/lib/runtime/record/messages';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

/** Skills are instructions: an agent knows and reads those of its own card, in whatever way it is called. */

const skills = {
  'skills/cooking/SKILL.md': '---\nname: cooking\ndescription: HOW TO COOK\n---\nBoil it.',
  'skills/taxes/SKILL.md': '---\nname: taxes\ndescription: HOW TO FILE\n---\nFile them.',
};
const child = (tool: string, id = tool) => ({ tool, id, arguments: { text: 'go' } });
const worker = (name: string) => ({ tool: 'worker_call', id: name, arguments: { worker: name, input_data: 'go' } });
const read = (path: string) => ({ tool: 'read_skill', id: path, arguments: { path } });

/** `lead` is the whole front matter of the entry, without its name. */
async function play(lead: string, calls: TestScript, settings = '') {
  const card = (name: string, lines: string) =>
    `---\nname: ${name}\n${lines}\n---\nYou are ${name}.\n\n{{agentSkills}}\n`;
  const folder = folderOf({
    ...skills,
    'agent-cards/lead.md': card('lead', `default: true\n${lead}`),
    'agent-cards/cook.md': card('cook', 'skills: [skills/cooking]'),
    'agent-cards/clerk.md': card('clerk', 'skills: [skills/taxes]'),
    'fast-agent.yaml': 'default_model: test-model\n',
    'callboard.yaml': `version: 1\n${settings}\n`,
  });
  const parsed = readFolder(folder);
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const both: TestScript = [{ calls: [read('cooking'), read('taxes')] }, 'done'];
  const model = scriptedModel({ lead: calls, cook: both, clerk: both });
  const { sink, outcome } = await runGraph({ parsed, model, folder });
  expect(outcome.status).toBe('completed');
  const paths = sink.of('instance.started').map(({ path }) => path);
  const known = (name: string) => {
    const requests = model.requests.filter(({ agentName }) => agentName === name);
    const has = (word: string) => requests.map(({ instruction }) => instruction?.includes(word) === true);
    return { cooking: new Set(has('HOW TO COOK')), taxes: new Set(has('HOW TO FILE')) };
  };
  /** The results of both readings, for each instance of an agent. */
  const readBy = (name: string) =>
    paths
      .filter((path) => path.split('/').at(-1)?.replace(/\[.*/, '') === name && path !== 'lead')
      .map((path) => {
        const ended = sink.of('tool.ended').filter((event) => event.path === path);
        return ended.map(({ result }) => result.errorCode ?? textOf(result.content).split('\n').at(-1));
      });
  return { known, readBy, offered: model.requests[0]?.tools.map(({ name }) => name) ?? [] };
}

it.each<[string, string, TestScript, string]>([
  [
    'children',
    'skills: []\nagents: [cook, clerk]',
    [{ calls: [child('agent__cook'), child('agent__clerk')] }, 'end'],
    '',
  ],
  [
    'children of an agent that has skills itself',
    'skills: [skills/taxes]\nagents: [cook, clerk]',
    [{ calls: [child('agent__cook'), child('agent__clerk')] }, 'end'],
    '',
  ],
  [
    'two instances at once',
    'skills: []\nagents: [cook, clerk]',
    [{ calls: [child('agent__cook', 'a'), child('agent__clerk', 'b'), child('agent__cook', 'c')] }, 'end'],
    '',
  ],
  [
    'workers',
    'skills: []',
    [{ calls: [worker('cook'), worker('clerk')] }, 'end'],
    'toolsets: {lead: {delegation: {allow_workers: [cook, clerk]}}}',
  ],
  ['steps of a chain', 'type: chain\nsequence: [cook, clerk]', 'end', ''],
  ['branches', 'type: parallel\nfan_out: [cook, clerk]', 'end', ''],
])('%s know and read their own skills alone', async (_, lead, calls, settings) => {
  const { known, readBy } = await play(lead, calls, settings);
  expect(known('cook')).toEqual({ cooking: new Set([true]), taxes: new Set([false]) });
  expect(known('clerk')).toEqual({ cooking: new Set([false]), taxes: new Set([true]) });
  const [cooks, clerks] = [readBy('cook'), readBy('clerk')];
  expect([cooks.length > 0, clerks.length > 0]).toEqual([true, true]);
  for (const one of cooks) expect(one).toEqual(['Boil it.', 'NOT_ALLOWED']);
  for (const one of clerks) expect(one).toEqual(['NOT_ALLOWED', 'File them.']);
});

it('an agent without skills has no list of them and no tool that reads them', async () => {
  const { known, offered } = await play('skills: []\nagents: [cook]', 'end');
  expect(known('lead')).toEqual({ cooking: new Set([false]), taxes: new Set([false]) });
  expect(offered).toEqual(['agent__cook']);
});
