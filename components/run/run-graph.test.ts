import { describe, expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { Picture } from '@/lib/graph/picture';
import type { EventBody } from '@/lib/runtime/events';
import { begin, ended, fold, log, queued, started } from '@/lib/testing/trace-log';
import { runGraph } from './run-graph';

const agent = { kind: 'agent', type: 'agent', missing: false, width: 224, height: 64 } as const;
const picture: Picture = {
  nodes: [
    { ...agent, id: 'agent:lead', name: 'lead', x: 0, y: 0 },
    { ...agent, id: 'agent:kid', name: 'kid', x: 320, y: 0 },
  ],
  edges: [{ id: 'delegation:lead→kid', kind: 'delegation', source: 'agent:lead', target: 'agent:kid' }],
};

const created = (path: string, name: string, creator: string): EventBody => ({
  kind: 'agent.created',
  path: brandAs(path),
  step: brandAs(`${path}#t1`),
  agent: { name, creator, instructions: 'Write.', tools: [] },
});

describe('R-115 created agents appear as dashed nodes in the trace view of that run', () => {
  const failed = { ...ended('lead/poet[2]'), status: 'failed' as const };
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, created('lead', 'poet', 'lead')],
      [1, created('lead', 'poet', 'lead')],
      [2, queued('lead/poet[1]', 'lead#t2')],
      [2, started('lead/poet[1]')],
      [3, ended('lead/poet[1]')],
      [4, queued('lead/poet[2]', 'lead#t3')],
      [4, failed],
      [5, created('lead/poet[1]', 'critic', 'poet')],
    ),
  );
  const { boxes, lines, width, height } = runGraph(picture, trace);
  const box = (name: string) => boxes.find((one) => one.name === name);

  it('R-115 created agents appear as dashed nodes, once each, tied to their creator', () => {
    expect(boxes.map((one) => [one.name, one.created, one.creator])).toEqual([
      ['lead', false, undefined],
      ['kid', false, undefined],
      ['poet', true, 'lead'],
      ['critic', true, 'poet'],
    ]);
    expect(lines.map((line) => [line.id, line.dashed])).toEqual([
      ['delegation:lead→kid', false],
      ['created:lead/poet', true],
      ['created:poet/critic', true],
    ]);
  });

  it('says what their instances did', () => {
    expect(box('poet')).toMatchObject({ status: 'failed', alike: 1, instances: 2, counts: '1 failed, 1 completed' });
    expect(box('poet')?.span).toBe(trace.lanes[1]?.span);
    expect(box('lead')).toMatchObject({ status: 'running', instances: 1 });
    expect(box('kid')).toMatchObject({ status: undefined, instances: 0, span: undefined });
  });

  it('covers nothing and stays inside the drawing', () => {
    for (const [i, a] of boxes.entries()) {
      expect(Math.min(a.x, a.y)).toBeGreaterThanOrEqual(0);
      expect(a.x + a.width).toBeLessThanOrEqual(width);
      expect(a.y + a.height).toBeLessThanOrEqual(height);
      for (const b of boxes.slice(i + 1)) {
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart).toBe(true);
      }
    }
  });

  it('draws the folder alone where the run made nobody', () => {
    const plain = runGraph(picture, { lanes: [], notes: [] });
    expect(plain.boxes.some((one) => one.created)).toBe(false);
    expect(plain.lines.length).toBe(1);
    expect(runGraph({ nodes: [], edges: [] }, { lanes: [], notes: [] }).boxes).toEqual([]);
  });
});
