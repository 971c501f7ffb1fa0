import { describe, expect, it } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { beadRow, roomAt } from './bead-row';
import type { Graph, NodeId, Point } from './graph';
import type { ChainEntry } from './hook-chain';
import { makeRoom } from './make-room';
import { projectGraph } from './project';
import { agentSize } from './size';

type Points = Record<NodeId, Point>;

const base = projectGraph(graphOf('lead > writer, critic; writer > editor; pal'));
const entry = (name: string) => ({ id: name, name, off: false, phase: 'around' }) as ChainEntry;
const hooked: Graph = { ...base, chains: { 'agent:lead': ['audit', 'clamp', 'redact'].map(entry) } };
const lead = new Set(['agent:lead']);
const places: Points = {
  'agent:lead': { x: 0, y: 0 },
  'agent:writer': { x: 320, y: -60 },
  'agent:critic': { x: 330, y: 60 },
  'agent:editor': { x: 640, y: -60 },
  'agent:pal': { x: 0, y: 300 },
};

describe('makeRoom', () => {
  it('moves what an agent uses to the right until its chain is drawn whole', () => {
    const room = (points: Points) => roomAt(hooked, 'agent:lead', agentSize.width, points);
    const chain = hooked.chains['agent:lead'] ?? [];
    expect(beadRow(chain, room(places)).hidden).toBeGreaterThan(0);
    const now = { ...places, ...makeRoom(hooked, places, lead) };
    expect(beadRow(chain, room(now))).toMatchObject({ hidden: 0, named: true });
  });

  it('moves what a moved node would cover, and nothing else', () => {
    const moved = makeRoom(hooked, places, lead);
    expect(Object.keys(moved).sort()).toEqual(['agent:critic', 'agent:editor', 'agent:writer']);
    const gap = (moved['agent:editor']?.x ?? 0) - (moved['agent:writer']?.x ?? 0) - agentSize.width;
    expect(gap).toBe(56);
    for (const [id, { y }] of Object.entries(moved)) expect(y, id).toBe(places[id]?.y);
  });

  it('moves a node that a chain would cover, although no wire leads there', () => {
    const points = { ...places, 'agent:pal': { x: 280, y: 0 } };
    const moved = makeRoom(hooked, points, lead);
    const reach = agentSize.width + beadRow(hooked.chains['agent:lead'] ?? [], 520).width;
    expect(moved['agent:pal']?.x).toBeGreaterThanOrEqual(reach);
  });

  it('moves nothing where there is room, or where nodes are at the left', () => {
    const far = { ...places, 'agent:writer': { x: 900, y: 0 }, 'agent:critic': { x: -400, y: 60 } };
    expect(makeRoom(hooked, { ...far, 'agent:editor': { x: 1_400, y: 0 } }, lead)).toEqual({});
    const once = { ...places, ...makeRoom(hooked, places, lead) };
    expect(makeRoom(hooked, once, lead)).toEqual({});
  });
});
