import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { issuesByServer } from './server-issues';
import { textOfNode } from './text-of-node';

const folder = folderOf({
  'lead.md':
    '---\nname: lead\nservers: [time, gone]\nmcp_connect:\n  docs:\n    target: https://docs.example.com/mcp\nfunction_tools: [t.py:second]\nhuman_input: true\n---\n',
  't.py': 'def first():\n    pass\n\n\ndef second():\n    pass\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    time:\n      command: npx\n    flow: { command: npx }\n    good:\n      command: node\n      args: [a.mjs]\n',
});
const parsed = readFolder(folder);

test('the text of a node is its card, its entry in the config, the connection in a card, or its code', () => {
  const texts = projectGraph(parsed).nodes.map((node) => [node.id, textOfNode(folder, parsed, node)]);
  expect(Object.fromEntries(texts)).toEqual({
    'agent:lead': { file: 'lead.md' },
    'server:time': { file: 'fast-agent.yaml', line: 3, column: 5 },
    'server:flow': { file: 'fast-agent.yaml', line: 5, column: 5 },
    'server:good': { file: 'fast-agent.yaml', line: 6, column: 5 },
    'server:gone': undefined,
    'server:docs': { file: 'lead.md', line: 5, column: 3 },
    'function:t.py:second': { file: 't.py', line: 5, column: 1 },
    'builtin:human_input': undefined,
  });
});

test('an issue of the config belongs to the server in whose entry it is', () => {
  const issues = parsed.issues.filter(({ file }) => file === 'fast-agent.yaml');
  const found = issuesByServer(folder, parsed.config, issues);
  expect([...found].map(([issue, id]) => [issue.code, issue.line, id])).toEqual([
    ['server-without-arguments', 4, 'server:time'],
    ['server-without-arguments', 5, 'server:flow'],
  ]);
});
