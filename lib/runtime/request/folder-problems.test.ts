// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is what a person writes
import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { folderProblems } from './run-problem';

/** What a run refuses before it asks a model, and what needs no network, is an error of the check. */

const lead = (more = '', text = 'Lead.') => `---\nname: lead\ndefault: true\n${more}---\n${text}\n`;
const remote = (more: string) => `---\ntype: a2a\nname: far\n${more}---\n`;
const scripts = (names: string) => `version: 1\nscripts: {${names}}\n`;

const cases: readonly (readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  code: string,
  place: string,
])[] = [
  ['a remote agent at no address', { 'far.md': remote('url: nope\n') }, 'bad-address', 'far.md:4:1'],
  ['a remote agent at a file', { 'far.md': remote('url: file:///x\n') }, 'bad-address', 'far.md:4:1'],
  [
    'a remote agent without time',
    { 'far.md': remote('url: https://a.example\nrequest_timeout_seconds: 0\n') },
    'out-of-range',
    'far.md:5:26',
  ],
  [
    'a child at no address',
    { 'lead.md': lead('agents: [far]\n'), 'far.md': remote('url: nope\n') },
    'bad-address',
    'far.md:4:1',
  ],
  ['a text at Hugging Face', { 'lead.md': lead('', 'See {{url:hf://x/y}}') }, 'bad-address', 'lead.md:5:5'],
  [
    'a text behind a password',
    { 'lead.md': lead('', 'See\n{{url:https://me:secret@x.example/}}') },
    'bad-address',
    'lead.md:6:1',
  ],
  ['a text at no address', { 'lead.md': lead('', '{{url:http://[x}}') }, 'bad-address', 'lead.md:5:1'],
  [
    'scripts without the entry',
    { 'lead.md': lead(), 'callboard.yaml': scripts('other: [{turns: [{text: Hi}]}]') },
    'script-missing',
    'callboard.yaml:1:1',
  ],
  [
    'an empty script',
    { 'lead.md': lead(), 'callboard.yaml': scripts('lead: [], other: [{turns: [{text: Hi}]}]') },
    'script-missing',
    'callboard.yaml:1:1',
  ],
  [
    'scripts without the first step',
    {
      'flow.md': '---\ntype: chain\nname: flow\ndefault: true\nsequence: [step]\n---\n',
      'step.md': '---\nname: step\n---\n',
      'callboard.yaml': scripts('other: [{turns: [{text: Hi}]}]'),
    },
    'script-missing',
    'callboard.yaml:1:1',
  ],
  ['no card at all', { 'notes.md': 'Hello\n' }, 'unknown-agent', 'notes.md:1:1'],
];

test.each(cases)('%s', async (_, files, code, place) => {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const found = folderProblems(parsed, { agent: undefined, model: undefined }).filter(
    ({ severity }) => severity === 'error',
  );
  expect(found.map((issue) => `${issue.file}:${issue.line}:${issue.column} ${issue.code}`)).toEqual([
    `${place} ${code}`,
  ]);
  const model = scriptedModel({ lead: ['done'], far: ['done'], step: ['done'] });
  const { outcome } = await runGraph({
    parsed: { ...parsed, config: { ...parsed.config, defaultModel: 'x' } },
    folder,
    model,
    request: { agent: undefined },
  });
  expect(outcome.status).toBe('failed');
  expect(model.requests).toEqual([]);
});

test('what is filled in when a run starts is no problem before, and a model for the run takes the place of scripts', () => {
  const files = {
    'lead.md': lead('agents: [far]\nmodel: passthrough\n', 'See {{url:https://x.example/${PAGE}}} \\{{url:hf://x}}'),
    'far.md': remote('url: "${FAR_URL}"\n'),
    'callboard.yaml': scripts('other: [{turns: [{text: Hi}]}]'),
  };
  const parsed = readFolder(folderOf(files));
  const errors = folderProblems(parsed, { agent: undefined, model: 'passthrough' }).filter(
    ({ severity }) => severity === 'error',
  );
  expect(errors).toEqual([]);
});

test('an address with a fault is named without its password and its query', () => {
  const files = {
    'lead.md': lead('agents: [far]\nmodel: passthrough\n', 'See {{url:https://ann:hush-hush@x.example/page}}'),
    'far.md': remote('url: ftp://ann:hush-hush@x.example/?key=hush-hush\n'),
  };
  const problems = folderProblems(readFolder(folderOf(files)), { agent: undefined, model: undefined });
  expect(problems.filter(({ code }) => code === 'bad-address')).toHaveLength(2);
  expect(JSON.stringify(problems)).not.toContain('hush-hush');
});
