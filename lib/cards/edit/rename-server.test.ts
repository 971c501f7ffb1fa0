import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { renameServer } from './rename-server';

const files = {
  'lead.md':
    '---\nname: lead\ndefault: true\nservers:\n  - time # the clock\n  - times\ntools:\n  time: [get_time]\n---\nSay time.\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    time: # ours\n      command: node\n      args: [time.mjs]\n    times:\n      command: node\n',
  'fast-agent.secrets.yaml': 'mcp:\n  servers:\n    time:\n      env: { TOKEN: t0ken-value }\n',
  'callboard.yaml': `version: 1
canvas:
  positions:
    "server:time": { x: 1, y: 2 }
run_hooks:
  - log: { when: { server: time } }
  - log: { when: { tool: [time__get_time, 'times__*'] } }
scripts:
  lead:
    - turns:
        - calls:
            - tool: time__get_time
              arguments: { tool: time__get_time }
`,
};

it('renames the server, its uses and its tools, and touches no other line', () => {
  const renamed = renameServer(folderOf(files), 'time', ' clock ');
  expect(renamed.ok && Object.fromEntries(renamed.value)).toEqual({
    'lead.md': files['lead.md'].replace('- time #', '- clock #').replace('time: [get', 'clock: [get'),
    'fast-agent.yaml': files['fast-agent.yaml'].replace('time: # ours', 'clock: # ours'),
    'fast-agent.secrets.yaml': files['fast-agent.secrets.yaml'].replace('time:', 'clock:'),
    'callboard.yaml': files['callboard.yaml']
      .replace('"server:time"', '"server:clock"')
      .replace('server: time ', 'server: clock ')
      .replace('[time__get_time', '[clock__get_time')
      .replace('- tool: time__get_time', '- tool: clock__get_time'),
  });
});

it('gives the folder back when renamed back', () => {
  const there = renameServer(folderOf(files), 'time', 'clock');
  if (!there.ok) throw new Error(there.error.message);
  const back = renameServer(folderOf({ ...files, ...textsOf(there.value) }), 'clock', 'time');
  expect(back.ok && Object.fromEntries(back.value)).toEqual(files);
});

it('leaves no fault behind', () => {
  const renamed = renameServer(folderOf(files), 'time', 'clock');
  if (!renamed.ok) throw new Error(renamed.error.message);
  const before = readFolder(folderOf(files)).issues.map(({ code }) => code);
  const after = readFolder(folderOf({ ...files, ...textsOf(renamed.value) })).issues.map(({ code }) => code);
  expect(after).toEqual(before);
});

it('refuses a name that is taken or blank, and says so', () => {
  const taken = renameServer(folderOf(files), 'time', 'times');
  expect(!taken.ok && taken.error.message).toBe(
    "'times' is another MCP server in fast-agent.yaml. Choose another name.",
  );
  const blank = renameServer(folderOf(files), 'time', ' ');
  expect(!blank.ok && blank.error.message).toBe("Give 'time' a name with at least one character.");
});

it('renames a server that a card connects to, written as a mapping or a list', () => {
  const card = (connect: string) => `---\nname: lead\nmcp_connect:\n${connect}tools: {docs: ['find_*']}\n---\n`;
  const mapping = card('  docs: # ours\n    target: https://docs.example.com/mcp\n');
  const unnamed = card('  - target: "@acme/docs"\n');
  const renamed = [mapping, unnamed].map((text) => renameServer(folderOf({ 'lead.md': text }), 'docs', 'pages'));
  expect(renamed.map((one) => one.ok && Object.fromEntries(one.value))).toEqual([
    { 'lead.md': mapping.replace('docs: #', 'pages: #').replace('{docs:', '{pages:') },
    { 'lead.md': card('  - target: "@acme/docs"\n    name: pages\n').replace('{docs:', '{pages:') },
  ]);
});

it('corrects the name of a server that no file configures, and refuses one that nothing names', () => {
  const lead = '---\nname: lead\nservers: [tiem, times]\n---\n';
  const after = ['clock', 'time', 'times'].map((name) => {
    const corrected = renameServer(folderOf({ ...files, 'lead.md': lead }), 'tiem', name);
    return corrected.ok && corrected.value.get('lead.md');
  });
  expect(after).toEqual([
    lead.replace('tiem', 'clock'),
    lead.replace('tiem', 'time'),
    lead.replace('tiem, times', 'times'),
  ]);
  const unknown = renameServer(folderOf(files), 'gone', 'clock');
  expect(!unknown.ok && unknown.error.message).toBe("There is no MCP server 'gone' to rename.");
});

function textsOf(changes: ReadonlyMap<string, string | null>): Record<string, string> {
  return Object.fromEntries([...changes].flatMap(([path, text]) => (text === null ? [] : [[path, text]])));
}

it.each([
  ['lead.md', '---\nname: lead\nservers: [time\n---\nSay time.\n'],
  ['callboard.yaml', 'run_hooks: [{log: {when: {tool: time__get_time}}}]\nlimits: [\n'],
  ['fast-agent.yaml', `${files['fast-agent.yaml']}default_model: [\n`],
  ['fast-agent.secrets.yaml', `${files['fast-agent.secrets.yaml']}openai: [\n`],
])('is refused while a file that may name the server cannot be read: %s', (file, text) => {
  const renamed = renameServer(folderOf({ ...files, [file]: text }), 'time', 'clock');
  if (renamed.ok) throw new Error('renamed');
  expect(renamed.error.file).toBe(file);
  expect(renamed.error.message).toMatch(
    / cannot be read \(line \d\) and may name 'time'\. Correct it before renaming\.$/,
  );
});
