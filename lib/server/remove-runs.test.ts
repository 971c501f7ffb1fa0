import fc from 'fast-check';
import { expect, it } from 'vitest';
import { removeSome } from './remove-runs';

it('a run that ends at any moment of a request is deleted by it or by the next one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 8 }), fc.nat(3), async (endings, ended) => {
      // Each step of the requests takes one tick, and a run has ended once its tick has passed.
      let tick = 0;
      let active = endings;
      let left = ended;
      const passTick = () => {
        tick += 1;
        left += active.filter((end) => end < tick).length;
        active = active.filter((end) => end >= tick);
      };
      let deleted = 0;
      for (let requests = 0; ; requests++) {
        expect(requests).toBeLessThan(20);
        const removed = await removeSome({
          stopActive: async () => {
            const { length } = active;
            passTick();
            return length;
          },
          deleteEnded: async () => {
            const runs = Math.min(left, 2);
            left -= runs;
            passTick();
            return runs;
          },
          now: () => 0,
        });
        deleted += removed.deleted;
        if (removed.stopping === 0 && !removed.more) break;
      }
      expect(deleted).toBe(endings.length + ended);
    }),
  );
});

it('a request that has taken three seconds says that there is more', async () => {
  let now = 0;
  const deleteEnded = async () => {
    now += 2_000;
    return 50;
  };
  const removed = await removeSome({ stopActive: async () => 0, deleteEnded, now: () => now });
  expect(removed).toEqual({ deleted: 100, stopping: 0, more: true });
});
