import { describe, expect, it } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { diffGraphs } from './diff';
import { projectGraph } from './project';

describe('diffGraphs', () => {
  it('tells what came, went and changed', () => {
    const before = projectGraph(graphOf('lead > writer, critic', { cards: { lead: { servers: ['time'] } } }));
    const chain = [{ spec: 'h.py:a', file: 'h.py', functionName: 'a' }];
    const after = projectGraph(
      graphOf('lead > writer, editor', {
        cards: {
          lead: { servers: ['time'], tools: { time: ['get_*'] }, toolHooks: { form: 'chain', chain } },
          writer: { model: 'gpt-5' },
        },
      }),
    );
    const diff = diffGraphs(before, after);
    expect({
      addedNodes: diff.addedNodes.map(({ id }) => id),
      removedNodes: diff.removedNodes.map(({ id }) => id),
      changedNodes: diff.changedNodes.map(({ after: { id }, fields }) => [id, ...fields]),
      addedEdges: diff.addedEdges.map(({ id }) => id),
      removedEdges: diff.removedEdges.map(({ id }) => id),
      changedEdges: diff.changedEdges.map(({ after: { id }, fields }) => [id, ...fields]),
      chains: diff.changedChains.map(({ agent, after: beads }) => [agent, ...beads.map(({ spec }) => spec)]),
    }).toEqual({
      addedNodes: ['agent:editor'],
      removedNodes: ['agent:critic'],
      changedNodes: [['agent:writer', 'model']],
      addedEdges: ['delegation:agent:lead→agent:editor'],
      removedEdges: ['delegation:agent:lead→agent:critic'],
      changedEdges: [['uses:agent:lead→server:time', 'marks']],
      chains: [['agent:lead', 'h.py:a']],
    });
  });

  it('finds nothing between a graph and itself', () => {
    const graph = projectGraph(graphOf('a > b, c; c > b'));
    expect(Object.values(diffGraphs(graph, graph)).flat()).toEqual([]);
  });
});
