import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largeRun } from '@/lib/testing/large-run';
import { fold } from '@/lib/testing/trace-log';
import { LaneSpans } from './lane-spans';

const span = fc.record({ gap: fc.nat(20), length: fc.nat(40), isOpen: fc.boolean() });

test('finds the spans that touch a window, whatever is open, ends later, or is longer than the rest', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 150 }), fc.nat(900), fc.nat(300), (all, from, width) => {
      const lane = new LaneSpans();
      const known: { start: number; end: number }[] = [{ start: 0, end: 10_000 }];
      lane.push(0, 0, Number.POSITIVE_INFINITY);
      let start = 0;
      for (const { gap, length, isOpen } of all) {
        start += gap;
        lane.push(known.length, start, isOpen ? Number.POSITIVE_INFINITY : start + length);
        known.push({ start, end: start + length });
      }
      for (const [id, { end }] of known.entries()) lane.setEnd(id, end);
      const into = new Uint32Array(lane.length);
      const to = from + width;
      const found = [...into.subarray(0, lane.touching(from, to, into))];
      expect(found).toEqual(known.flatMap((one, id) => (one.start <= to && one.end >= from ? [id] : [])));
      const part = new LaneSpans();
      part.shareFirst(lane, Math.ceil(known.length / 2));
      expect([...into.subarray(0, part.touching(from, to, into))]).toEqual(
        found.filter((id) => id < Math.ceil(known.length / 2)),
      );
    }),
  );
});

test('a late window of a long lane passes over what ended before it', () => {
  const trace = fold([...largeRun({ spans: 20_000, lanes: 3, seed: 8 })]);
  const lane = trace.lanes[1]?.spans ?? new LaneSpans();
  let read = 0;
  const ends = lane['ends'];
  ends.data = new Proxy(ends.data, {
    get(target, key) {
      read++;
      return Reflect.get(target, key);
    },
  });
  const into = new Uint32Array(lane.length);
  const count = lane.touching(trace.lastAt * 0.8, trace.lastAt * 0.8 + 1_000, into);
  expect(lane.length).toBeGreaterThan(5_000);
  expect(count).toBeLessThan(10);
  // The first block holds the instance itself, and one or two are near the window.
  expect(read).toBeLessThan(200);
});
