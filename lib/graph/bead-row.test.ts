import { expect, it } from 'vitest';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { beadRow, roomAt, usualRoom } from './bead-row';
import { hookChain } from './hook-chain';
import { projectGraph } from './project';

const code = (functionName: string) => ({ spec: `h.py:${functionName}`, file: 'h.py', functionName });
const chainOf = (...names: string[]) =>
  hookChain(agentCard('a', { toolHooks: { form: 'chain', chain: names.map(code) } }), graphOf('a'));
const drawn = (names: string[], room: number) => {
  const { shown, named, hidden, width } = beadRow(chainOf(...names), room);
  expect(width).toBeLessThanOrEqual(Math.max(room, 72));
  return [shown.map(({ name }) => name), named ? 'named' : 'round', hidden];
};

it('shows names while there is room, then fewer names and a number, then round beads, then the number alone', () => {
  const names = ['audit', 'guard', 'limit'];
  expect(drawn(names, 260)).toEqual([names, 'named', 0]);
  expect(drawn(names, 220)).toEqual([['audit', 'guard'], 'named', 1]);
  expect(drawn(names, 130)).toEqual([names, 'round', 0]);
  expect(drawn(names, 104)).toEqual([['audit'], 'round', 2]);
  expect(drawn(names, 20)).toEqual([[], 'round', 3]);
  expect(beadRow([], 100).width).toBe(0);
});

it('leaves a piece of wire up to the nearest node that the agent uses', () => {
  const graph = projectGraph(graphOf('a > b, c'));
  const points = { 'agent:a': { x: 0 }, 'agent:b': { x: 400 }, 'agent:c': { x: 320 } };
  expect(roomAt(graph, 'agent:a', 224, points)).toBe(68);
  expect(roomAt(graph, 'agent:a', 330, points)).toBe(42);
  expect(roomAt(graph, 'agent:b', 624, points)).toBe(usualRoom(graph, 'agent:b'));
  expect(usualRoom(graph, 'agent:a')).toBeGreaterThan(usualRoom(graph, 'agent:b'));
});
