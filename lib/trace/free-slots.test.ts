import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FreeSlots } from './free-slots';

/** The definition: the lowest number that is not in use. */
function lowestFree(busy: ReadonlySet<number>): number {
  let slot = 0;
  while (busy.has(slot)) slot += 1;
  return slot;
}

const step = fc.oneof({ weight: 3, arbitrary: fc.constant('take' as const) }, fc.record({ add: fc.nat({ max: 20 }) }), {
  weight: 2,
  arbitrary: fc.record({ delete: fc.nat({ max: 20 }) }),
});

test('the lowest free number is taken, in whatever order others are taken and given back', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = new FreeSlots();
      const busy = new Set<number>();
      for (const each of steps) {
        if (each === 'take') {
          const expected = lowestFree(busy);
          expect(slots.take()).toBe(expected);
          busy.add(expected);
        } else if ('add' in each) {
          slots.add(each.add);
          busy.add(each.add);
        } else {
          slots.delete(each.delete);
          busy.delete(each.delete);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
