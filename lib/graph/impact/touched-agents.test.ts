import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { touchedAgents } from './touched-agents';

const card = (name: string, fields = '', text = 'Text.') => `---\nname: ${name}\n${fields}---\n${text}\n`;
const hook = (name: string) => `export function ${name}(ctx, args, next) {\n  return next(args);\n}\n`;
const files = {
  'lead.md': card('lead', 'default: true\nagents: [writer]\ntool_hooks: [hooks.ts:audit]\n'),
  'writer.md': card('writer', 'servers: [mail]\nfunction_tools: [tools.ts:count]\nskills: [skills/letters]\n'),
  'alone.md': card('alone', 'servers: [files]\n', 'Read {{file:prompts/style.txt}}.'),
  'hooks.ts': `import { mask } from './mask';\n${hook('audit')}`,
  'mask.ts': 'export function mask(text) {\n  return text;\n}\n',
  'tools.ts': 'export function count() {\n  return 1;\n}\n',
  'prompts/style.txt': 'Be brief.',
  'skills/letters/SKILL.md': '---\nname: letters\ndescription: How to write\n---\nWrite.\n',
  'skills/letters/form.txt': 'Dear',
  'servers/serve.js': 'serve();\n',
  'note.txt': 'n',
  'fast-agent.yaml':
    'default_model: passthrough\nmcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n    files: { command: node, args: [servers/serve.js] }\n',
  'callboard.yaml': 'version: 1\napprovals:\n  agents: { writer: ask }\n',
};
type Files = Readonly<Record<string, string>>;

function touched(after: Files, before: Files = files): readonly string[] {
  const read = (given: Files) => {
    const folder = folderOf(given);
    return { folder, parsed: readFolder(folder) };
  };
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return touchedAgents(
    read(before),
    read(after),
    paths.filter((path) => before[path] !== after[path]),
  );
}

const everybody = ['alone', 'lead', 'writer'];
const yaml = files['fast-agent.yaml'];
const settings = (more: string) => `version: 1\napprovals:\n  agents: { writer: ask }\n${more}`;

test.each<[what: string, change: Files, agents: readonly string[]]>([
  ['its card', { 'writer.md': `${files['writer.md']}More.\n` }, ['writer']],
  ['the code of its hook', { 'hooks.ts': files['hooks.ts'].replace('next(args)', 'next({})') }, ['lead']],
  // The program of a server may load code that no card names.
  ['what the code of its hook imports', { 'mask.ts': 'export const mask = () => 1;\n' }, ['alone', 'lead']],
  ['the code of its tool', { 'tools.ts': files['tools.ts'].replace('1', '2') }, ['writer']],
  ['a text in its instruction', { 'prompts/style.txt': 'Be long.' }, ['alone']],
  ['a file of its skill', { 'skills/letters/form.txt': 'Hello' }, ['writer']],
  ['the address of its server', { 'fast-agent.yaml': yaml.replace('mail.example', 'post.example') }, ['writer']],
  ['the program of its server', { 'servers/serve.js': 'other();\n' }, ['alone']],
  ['its approvals', { 'callboard.yaml': settings('').replace('ask', 'allow') }, ['writer']],
  [
    'an approval rule of it',
    { 'callboard.yaml': settings('  rules: [{ agents: [alone], tools: ["*"], effect: ask }]\n') },
    ['alone'],
  ],
  [
    'a hook of it in callboard.yaml',
    { 'callboard.yaml': settings('agent_hooks:\n  alone: [hooks.ts:audit]\n') },
    ['alone'],
  ],
  ['an approval rule of all', { 'callboard.yaml': settings("  rules: [{ tools: ['x'], effect: ask }]\n") }, everybody],
  ['a hook of every agent', { 'callboard.yaml': settings('run_hooks: [hooks.ts:audit]\n') }, everybody],
  ['the model of every agent', { 'fast-agent.yaml': yaml.replace('passthrough', 'playback') }, everybody],
  [
    'an option of its delegation',
    { 'callboard.yaml': settings('delegations:\n  lead: { writer: { timeout_ms: 9 } }\n') },
    ['lead'],
  ],
  ['a file that nothing names', { 'note.txt': 'other' }, []],
  ['the layout', { 'callboard.yaml': settings("canvas: { positions: { 'agent:lead': { x: 1, y: 2 } } }\n") }, []],
])('an agent is touched by a change of %s', (_, change, agents) => {
  expect(touched({ ...files, ...change })).toEqual(agents);
});

test('a renamed agent is touched under both names, and a removed agent under its name', () => {
  const { 'writer.md': text, ...rest } = files;
  const lead = { 'lead.md': files['lead.md'].replace('[writer]', '[poet]') };
  const renamed = { ...rest, ...lead, 'poet.md': text.replace('writer', 'poet') };
  expect(touched(renamed)).toEqual(expect.arrayContaining(['poet', 'writer']));
  const { 'alone.md': _, ...others } = files;
  expect(touched(others)).toEqual(['alone']);
  expect(touched(files, {})).toEqual(everybody);
});
