import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import { projectGraph } from '@/lib/graph/project';
import { reviewFolder } from '@/lib/testing/review-folder';
import { changeGroups } from './change-rows';
import { partIndex, partOfChange } from './compared-part';
import { anchoredText } from './follow-anchor';
import { anchorOfPart, graphParts, otherAnchors } from './graph-parts';
import { mergedGraph } from './merged-graph';
import { partSentences } from './part-sentences';

type Files = Readonly<Record<string, string>>;

const project = (files: Files) => {
  const folder = folderOf(files);
  return { folder, parsed: readFolder(folder) };
};

function compare(before: Files, after: Files) {
  const now = project(after);
  const compared = compareProjects(project(before), now);
  const merged = mergedGraph(compared.before, now, compared.semantic);
  const index = partIndex(now, projectGraph(now.parsed), merged.graph);
  return {
    now,
    ...merged,
    groups: changeGroups(compared.semantic, index),
    capabilities: compared.capabilities.map((change) => ({ ...change, about: partOfChange(change, index) })),
    others: otherAnchors(merged, index),
  };
}

const card = (name: string, fields: string) =>
  `---\nname: ${name}\nmodel: passthrough\n${fields}---\nWork as ${name}.\n`;
const hooks = 'export function a(c, x, n) {\n  return n(x);\n}\nexport function b(c, x, n) {\n  return n(x);\n}\n';
const small: Files = {
  'lead.md': card('lead', 'agents: [writer, critic]\ntool_hooks: [hooks.ts:a, hooks.ts:b]\n'),
  'writer.md': card('writer', ''),
  'critic.md': card('critic', ''),
  'hooks.ts': hooks,
};
const { 'critic.md': _, ...rest } = small;
const changed: Files = {
  ...rest,
  'lead.md': card('lead', 'agents: [writer, poet]\nshell: true\ntool_hooks: [hooks.ts:b, more.ts:c]\n'),
  'poet.md': card('poet', 'function_tools: [tools.ts:send]\n'),
  'tools.ts': 'export function send() {\n  return 1;\n}\n',
  'more.ts': 'export function c(x, y, n) {\n  return n(y);\n}\n',
};

test('both graphs are drawn as one, and each part says what happened to it', () => {
  const { graph, changes } = compare(small, changed);
  expect(changes).toEqual({
    'agent:lead': 'changed',
    'agent:poet': 'added',
    'agent:critic': 'removed',
    'function:tools.ts:send': 'added',
    'builtin:shell': 'added',
    'delegation:agent:lead→agent:poet': 'added',
    'delegation:agent:lead→agent:critic': 'removed',
    'uses:agent:lead→builtin:shell': 'added',
    'uses:agent:poet→function:tools.ts:send': 'added',
    'agent:lead removed tool_hooks.0': 'removed',
    'agent:lead tool_hooks.1': 'added',
  });
  // What is gone stands where it was.
  expect(graph.chains['agent:lead']?.map(({ spec }) => spec)).toEqual(['hooks.ts:a', 'hooks.ts:b', 'more.ts:c']);
  expect(compare(small, small).changes).toEqual({});
  expect(new Set(compare({}, small).graph.nodes.map(({ id }) => compare({}, small).changes[id]))).toEqual(
    new Set(['added']),
  );
});

test('other code of a hook and another name of an agent are seen in the graph', () => {
  const { changes } = compare(small, { ...small, 'hooks.ts': hooks.replace('n(x)', 'null') });
  expect(changes).toEqual({ 'agent:lead tool_hooks.0': 'changed', 'agent:lead tool_hooks.1': 'changed' });
  const renamed = compare(small, {
    ...small,
    'lead.md': card('lead', 'agents: [author, critic]\ntool_hooks: [hooks.ts:b, hooks.ts:a]\n'),
    'writer.md': small['writer.md']?.replace('name: writer', 'name: author') ?? '',
  }).changes;
  expect(renamed['agent:author']).toBe('renamed');
  expect(Object.values(renamed)).toContain('moved');
});

test('everything that offers a comment is something that a comment can be about', () => {
  for (const [before, after] of [
    [{}, reviewFolder],
    [small, changed],
    [changed, small],
    [small, reviewFolder],
  ] as const) {
    const { now, graph, groups, capabilities, others } = compare(before, after);
    const rows = groups.flatMap((group) => group.rows).flatMap((row) => [row, ...row.details]);
    const parts = graphParts(graph).map((part) =>
      Object.hasOwn(others, part.key) ? (others[part.key] ?? undefined) : anchorOfPart(part, graph),
    );
    const anchors = [...rows, ...capabilities.map(({ about }) => about)].map(({ anchor }) => anchor);
    const offered = [...anchors, ...parts].filter((anchor) => anchor !== undefined);
    expect(offered.filter((anchor) => anchoredText(now, anchor) === undefined)).toEqual([]);
    expect(offered.length).toBeGreaterThan(10);
  }
});

test('a comment on a removed part is at the agent that had it', () => {
  const { groups, others, graph } = compare(small, changed);
  const rows = groups.flatMap((group) => group.rows);
  expect(rows.find(({ words }) => words === 'lead → critic')).toMatchObject({
    part: { kind: 'edge', from: 'lead', to: 'critic' },
    anchor: { kind: 'agent', agent: 'lead' },
  });
  expect(rows.find(({ words }) => words === 'critic')?.anchor).toBeUndefined();
  expect(others['agent:critic']).toBeNull();
  expect(others['agent:lead removed tool_hooks.0']).toEqual({ kind: 'agent', agent: 'lead' });
  // A function and a built-in belong to the agent that uses them.
  const anchors = graphParts(graph).flatMap((part) => (part.kind === 'edge' ? [anchorOfPart(part, graph)] : []));
  expect(anchors).toContainEqual({ kind: 'tool', agent: 'poet', tool: 'send' });
  expect(anchors).toContainEqual({ kind: 'field', agent: 'lead', field: 'shell' });
});

test('a part of the graph has the sentences of the summary about it', () => {
  const compared = compare(small, changed);
  expect(partSentences({ kind: 'edge', from: 'lead', to: 'poet' }, compared)).toEqual([
    "Agent 'lead' can now delegate to agent 'poet'.",
  ]);
  expect(partSentences({ kind: 'hook', agent: 'lead', hook: 'hooks.ts:a' }, compared)).toContain(
    "Hook 'a' no longer wraps the tool calls of agent 'lead'.",
  );
  expect(partSentences({ kind: 'agent', agent: 'lead' }, compared)).toContain(
    "Agent 'lead' may now run shell commands.",
  );
  expect(partSentences({ kind: 'agent', agent: 'writer' }, compared)).toEqual([]);
  const code = compare(small, { ...small, 'hooks.ts': hooks.replace('n(x)', 'null') });
  const about = { kind: 'hook', agent: 'lead', hook: 'hooks.ts:a' } as const;
  expect(partSentences(about, { ...code, code: 'hooks.ts' }).join(' ')).toContain(
    "The code in 'hooks.ts' is different",
  );
});
