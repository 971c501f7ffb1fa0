import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Picture } from '@/lib/graph/picture';
import type { EventBody } from '@/lib/runtime/record/events';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { usedPart } from './used-part';

const agent = { kind: 'agent', type: 'agent', missing: false, width: 224, height: 64 } as const;
const server = { kind: 'server', missing: false, width: 176, height: 48 } as const;
const edge = (source: string, target: string) => ({
  ...{ id: `${source} ${target}`, kind: 'delegation' as const },
  ...{ source, target },
});
const kids = Array.from({ length: 12 }, (_, n) => n + 1);
const picture: Picture = {
  nodes: [
    { ...agent, id: 'agent:lead', name: 'lead', x: 0, y: 400 },
    ...kids.map((n) => ({ ...agent, id: `agent:kid${n}`, name: `kid${n}`, x: 320, y: n * 200 }) as const),
    { ...server, id: 'server:time', name: 'time', x: 640, y: 400 },
    { ...server, id: 'server:mail', name: 'mail', x: 960, y: 400 },
  ],
  edges: [...kids.map((n) => edge('agent:lead', `agent:kid${n}`)), edge('agent:lead', 'server:time')],
};

test('a run shows the agents that it called and the servers that they used', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, { ...toolOn('lead', 1, 'time__now'), serverName: 'time' } as EventBody],
      [2, toolOff('lead', 1)],
    ),
  );
  const { nodes, edges } = usedPart(picture, trace);
  expect(nodes.map(({ id, x, y }) => [id, x, y])).toEqual([
    ['agent:lead', 0, 400],
    ['server:time', 320, 400],
  ]);
  expect(edges.map(({ target }) => target)).toEqual(['server:time']);
});

test('before anything has begun, and when it is small, the graph is whole', () => {
  expect(usedPart(picture, fold(log([0, begin])))).toBe(picture);
  const small: Picture = { nodes: picture.nodes.slice(0, 12), edges: [] };
  expect(usedPart(small, fold(log([0, begin], [0, queued('lead')], [0, started('lead')])))).toBe(small);
});

test('boxes keep their order and do not touch when gaps are closed', () => {
  const trace = (names: readonly string[]) =>
    fold(log([0, begin], ...names.flatMap((name) => [[0, queued(name)] as const, [0, started(name)] as const])));
  fc.assert(
    fc.property(
      fc.array(fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -900, max: 900 }) }), {
        minLength: 13,
        maxLength: 16,
      }),
      fc.nat(15),
      (places, unused) => {
        const nodes = places.map((place, n) => ({ ...agent, id: `agent:a${n}`, name: `a${n}`, ...place }) as const);
        const used = nodes.filter((_, n) => n !== unused % nodes.length).map(({ name }) => name);
        const drawn = usedPart({ nodes, edges: [] }, trace(used)).nodes;
        for (const a of drawn) {
          for (const b of drawn) {
            const [before, after] = [nodes.find(({ id }) => id === a.id), nodes.find(({ id }) => id === b.id)];
            if (before === undefined || after === undefined) throw new Error('A box came from nowhere');
            expect(Math.sign(a.x - b.x)).toBe(Math.sign(before.x - after.x));
            expect(Math.sign(a.y - b.y)).toBe(Math.sign(before.y - after.y));
            const apart = Math.abs(before.x - after.x) >= 224 || Math.abs(before.y - after.y) >= 64;
            if (apart && a.id !== b.id) expect(Math.abs(a.x - b.x) >= 224 || Math.abs(a.y - b.y) >= 64).toBe(true);
          }
        }
      },
    ),
  );
});
