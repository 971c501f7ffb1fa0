import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { Picture } from '@/lib/graph/picture';
import type { EventBody } from '@/lib/runtime/record/events';
import {
  begin,
  decided,
  ended,
  finish,
  fold,
  log,
  origin,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { emptyTrace } from '@/lib/trace/empty-trace';
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

describe('created agents appear as dashed nodes in the trace view of that run', () => {
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
      [4, ended('lead/poet[2]', 'failed')],
      [5, created('lead/poet[1]', 'critic', 'poet')],
    ),
  );
  const { boxes, lines, width, height } = runGraph(picture, trace);
  const box = (name: string) => boxes.find((one) => one.name === name);

  it('created agents appear as dashed nodes, once each, tied to their creator', () => {
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
    expect(box('poet')).toMatchObject({ status: 'failed', live: 0, instances: 2, counts: '1 failed, 1 completed' });
    expect(box('poet')?.lane).toBe(1);
    expect(box('lead')).toMatchObject({ status: 'running', instances: 1, live: 1 });
    expect(box('kid')).toMatchObject({ status: undefined, instances: 0, lane: undefined });
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

  it('stands where it will stand before and after they are made', () => {
    const before = runGraph(picture, trace, 500);
    expect(before.boxes.map(({ name, x, y }) => [name, x, y])).toEqual(
      boxes.filter((one) => !one.created).map(({ name, x, y }) => [name, x, y]),
    );
    expect([before.width, before.height]).toEqual([width, height]);
    expect(runGraph(picture, trace, 1000).boxes.map(({ name }) => name)).toEqual(['lead', 'kid', 'poet']);
  });

  it('draws the folder alone where the run made nobody', () => {
    const plain = runGraph(picture, emptyTrace());
    expect(plain.boxes.some((one) => one.created)).toBe(false);
    expect(plain.lines.length).toBe(1);
    expect(runGraph({ nodes: [], edges: [] }, emptyTrace()).boxes).toEqual([]);
  });
});

describe('the graph at a moment: several instances at once, and loops', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [10, queued('lead/kid[1]')],
      [10, queued('lead/kid[2]')],
      [10, queued('lead/kid[3]')],
      [20, started('lead/kid[1]')],
      [20, started('lead/kid[2]')],
      [30, started('lead/kid[3]')],
      [40, ended('lead/kid[2]', 'failed')],
      [50, ended('lead/kid[1]')],
      [60, ended('lead/kid[3]')],
      [70, queued('lead/kid[4]')],
      [70, started('lead/kid[4]')],
      [80, ended('lead/kid[4]')],
      [90, ended('lead')],
      [90, finish],
    ),
  );
  const at = (ms: number) => {
    const { boxes, lines } = runGraph(picture, trace, ms * 1000);
    const [lead, kid] = boxes;
    return { lead: lead?.counts, kid: kid?.counts, calls: lines[0]?.calls, live: lines[0]?.live };
  };

  it('counts every live instance of a fan-out, not one active node', () => {
    expect(at(0)).toEqual({ lead: '1 running', kid: '', calls: 0, live: 0 });
    expect(at(10)).toEqual({ lead: '1 running', kid: '3 queued', calls: 3, live: 0 });
    expect(at(20)).toEqual({ lead: '1 running', kid: '2 running, 1 queued', calls: 3, live: 2 });
    expect(at(35)).toEqual({ lead: '1 running', kid: '3 running', calls: 3, live: 3 });
    expect(at(45)).toEqual({ lead: '1 running', kid: '2 running, 1 failed', calls: 3, live: 2 });
  });

  it('counts a child that is called again as one more, and lights its wire again', () => {
    expect(at(65)).toEqual({ lead: '1 running', kid: '1 failed, 2 completed', calls: 3, live: 0 });
    expect(at(75)).toEqual({ lead: '1 running', kid: '1 running, 1 failed, 2 completed', calls: 4, live: 1 });
    expect(at(90)).toEqual({ lead: '1 completed', kid: '1 failed, 3 completed', calls: 4, live: 0 });
    expect(runGraph(picture, trace).boxes).toEqual(runGraph(picture, trace, 90_000).boxes);
  });

  it('draws who called whom by name, from the first call on', () => {
    const named = fold(log([0, begin], [0, queued('lead')], [0, started('lead')], [5, queued('lead/kid[1]')]));
    const apart: Picture = { nodes: picture.nodes, edges: [] };
    expect(runGraph(apart, named, 4000).lines).toEqual([]);
    expect(runGraph(apart, named, 5000).lines).toMatchObject([{ dotted: true, dashed: false, calls: 1, live: 0 }]);
    expect(runGraph(picture, named).lines.map((line) => line.dotted)).toEqual([false]);
  });

  it('property: the graph at t is the graph of the events 0 to t', () => {
    fc.assert(
      fc.property(randomRun, fc.nat(70), (events, ms) => {
        const moment = ms * 1000;
        const then = fold(events.filter((event) => event.at - origin <= ms));
        const { boxes, lines } = runGraph(picture, fold(events), moment);
        const known = runGraph(picture, then);
        expect({ boxes, lines }).toEqual({ boxes: known.boxes, lines: known.lines });
      }),
      { numRuns: 300 },
    );
  });
});

/** Children, children of children and agents made on the way, each announced, begun and ended at some time or never. */
const randomRun = fc
  .array(
    fc.record({
      name: fc.constantFrom('kid', 'poet', 'lead'),
      deep: fc.boolean(),
      makes: fc.boolean(),
      times: fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)),
      reach: fc.nat(2),
      status: fc.constantFrom('completed' as const, 'failed' as const, 'timeout' as const),
    }),
    { maxLength: 8 },
  )
  .map((children) => {
    const moments: [number, EventBody][] = [
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [65, finish],
    ];
    let above = 'lead';
    children.forEach(({ name, deep, makes, times: [wait, work, rest], reach, status }, i) => {
      const path = `${deep ? above : 'lead'}/${name}[${i + 1}]`;
      above = path;
      if (makes) moments.push([wait, created('lead', name, 'lead')]);
      moments.push([wait, queued(path)]);
      if (reach > 0) moments.push([wait + work, started(path)]);
      if (reach > 1) moments.push([wait + work + rest, ended(path, status)]);
    });
    return log(...moments.sort(([a], [b]) => a - b));
  });

it('lights up the wire that a router chose, from the moment of its choice', () => {
  const [lead, kid] = picture.nodes;
  if (lead === undefined || kid === undefined) throw new Error('No nodes');
  const routed: Picture = {
    nodes: [{ ...lead, type: 'router' }, kid, { ...kid, id: 'agent:poet', name: 'poet', y: 120 }],
    edges: ['kid', 'poet'].map((name) => ({
      id: `route:lead→${name}`,
      kind: 'route',
      source: 'agent:lead',
      target: `agent:${name}`,
    })),
  };
  const choice = { what: 'route', agent: 'poet', confidence: 'high', candidates: ['kid', 'poet'] } as const;
  const trace = fold(log([0, begin], [0, queued('lead')], [0, started('lead')], [5, decided('lead', 1, choice)]));
  const chosen = (moment?: number) => runGraph(routed, trace, moment).lines.map((line) => line.chosen);
  expect([chosen(4999), chosen(5000), chosen()]).toEqual([
    [0, 0],
    [0, 1],
    [0, 1],
  ]);
  expect(runGraph(routed, trace).boxes.map((box) => box.chosenBy)).toEqual([[], [], ['lead']]);
});

const onClock = { ...toolOn('lead', 1, 'clock__now'), serverName: 'clock' };

test('boxes of servers and functions, and the wires to them, light up while a call runs', () => {
  const tools: Picture = {
    nodes: [
      ...picture.nodes,
      { ...toolBox, kind: 'server', id: 'server:clock', name: 'clock' },
      { ...toolBox, kind: 'function', id: 'function:add', name: 'add' },
    ],
    edges: [
      ...picture.edges,
      { id: 'one', kind: 'uses', source: 'agent:lead', target: 'server:clock' },
      { id: 'two', kind: 'uses', source: 'agent:kid', target: 'server:clock' },
      { id: 'three', kind: 'uses', source: 'agent:lead', target: 'function:add' },
    ],
  };
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, onClock],
      [3, toolOff('lead', 1)],
      [4, toolOn('lead', 2, 'add', 'function')],
      [5, toolOff('lead', 2)],
    ),
  );
  const lit = (ms: number) => {
    const { boxes, lines } = runGraph(tools, trace, ms * 1_000);
    return [...boxes.filter(({ kind }) => kind !== 'agent'), ...lines.slice(1)].map(
      ({ calls, live }) => `${calls}/${live}`,
    );
  };
  //                     clock  add    lead→clock kid→clock lead→add
  expect(lit(0)).toEqual(['0/0', '0/0', '0/0', '0/0', '0/0']);
  expect(lit(2)).toEqual(['1/1', '0/0', '1/1', '0/0', '0/0']);
  expect(lit(4)).toEqual(['1/0', '1/1', '1/0', '0/0', '1/1']);
  expect(lit(9)).toEqual(['1/0', '1/0', '1/0', '0/0', '1/0']);
});

const toolBox = { missing: false, x: 640, y: 0, width: 176, height: 48 } as const;
