import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { deriveGraph } from './derive-graph';
import { textAt, textFile, withChanges } from './document';

const files = {
  'agent-cards/lead.md':
    '---\nname: lead\ndescription: Leads.\nmodel: passthrough\nagents: [writer, critic]\nfunction_tools: [tools.py:add]\ntool_hooks: [hooks.py:audit]\n---\nLead.\n',
  'agent-cards/writer.md': '---\nname: writer\ndescription: Writes.\nservers: [time]\n---\nWrite.\n',
  'agent-cards/critic.md': '---\nname: critic\ntype: chain\nsequence: [writer]\n---\nJudge.\n',
  'agent-cards/tools.py': 'def add(a, b):\n    return a + b\n',
  'agent-cards/hooks.py': 'async def audit(ctx, args, call_next):\n    return await call_next(ctx, args)\n',
  'callboard.yaml': 'run_hooks:\n  - {kind: log}\ndelegations:\n  lead:\n    writer: {timeout_ms: 1000}\n',
  'fastagent.config.yaml': 'mcp:\n  servers:\n    time: {command: npx}\n',
};
const folder = folderOf(files);

function drawn(from: typeof folder) {
  const parsed = readFolder(from);
  return { drawn: parsed, graph: projectGraph(parsed) };
}

test('new words make one node, and every wire and chain stays the same object', () => {
  const before = drawn(folder);
  const lead = (textAt(folder, 'agent-cards/lead.md') ?? '').replace('passthrough', 'playback');
  const next = readFolder(withChanges(folder, new Map([['agent-cards/lead.md', textFile(lead)]])));
  const graph = deriveGraph(next, before);
  expect(graph.edges).toBe(before.graph.edges);
  expect(graph.chains).toBe(before.graph.chains);
  expect(graph.nodes.filter((node, at) => node !== before.graph.nodes[at])).toMatchObject([{ model: 'playback' }]);
});

test('a folder that is read again without a change has the same graph', () => {
  const before = drawn(folder);
  expect(deriveGraph(readFolder(folder), before)).toBe(before.graph);
});

test('after any edits the graph is that of the whole folder', () => {
  const edit = fc.record({
    path: fc.constantFrom(...Object.keys(files)),
    at: fc.nat(140),
    cut: fc.nat(4),
    put: fc.constantFrom('', 'x', ' ', '\n', ':', 'model: m\n', 'agents: [critic]\n', 'audit', '"', '#'),
    remove: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  });
  let reused = 0;
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
      let now = folder;
      let last = drawn(now);
      for (const { path, at, cut, put, remove } of edits) {
        const text = textAt(now, path) ?? '';
        const next = remove ? undefined : textFile(text.slice(0, at) + put + text.slice(at + cut));
        now = withChanges(now, new Map([[path, next]]));
        const parsed = readFolder(now);
        const graph = deriveGraph(parsed, last);
        expect(graph).toEqual(projectGraph(parsed));
        if (graph.edges === last.graph.edges && graph !== last.graph) reused += 1;
        last = { drawn: parsed, graph };
      }
    }),
    { numRuns: 60 },
  );
  expect(reused).toBeGreaterThan(0);
});
