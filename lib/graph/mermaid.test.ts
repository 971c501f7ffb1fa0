import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { mermaidOf } from './mermaid';
import { projectGraph } from './project';

const mermaid = (files: Record<string, string>) => {
  const folder: Folder = new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'text', text }]));
  return mermaidOf(projectGraph(readFolder(folder)));
};

test('draws each kind of node and edge', () => {
  const text = mermaid({
    'flow.md': '---\ntype: chain\nname: flow\nsequence: [lead, writer]\n---\n',
    'lead.md': '---\nname: lead\nservers: [time]\nagents: [nobody]\nfunction_tools: [t.py:add]\nshell: true\n---\n',
    'writer.md': '---\nname: writer\n---\n',
    't.py': 'def add(a: int) -> int:\n    return a\n',
    'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node }\n',
  });
  expect(text).toMatchInlineSnapshot(`
    "flowchart LR
      n1[["flow · chain"]]
      n2["lead"]
      n3["writer"]
      n4["nobody"]
      n5[("time")]
      n6{{"add"}}
      n7(["shell"])
      n1 -->|"sequence 1"| n2
      n1 -->|"sequence 2"| n3
      n2 --> n4
      n2 -.-> n5
      n2 -.-> n6
      n2 -.-> n7
      classDef missing stroke-dasharray: 4 3
      class n4 missing
    "
  `);
});

test('signs that Mermaid would read are written as numbers', () => {
  expect(mermaid({ 'a.md': '---\nname: a"b#c\n---\n' })).toContain('["a#34;b#35;c"]');
});
