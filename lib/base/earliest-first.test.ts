import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EarliestFirst } from './earliest-first';

test('what is taken is always the first of what is there', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20), { nil: undefined })), (steps) => {
      const list = new EarliestFirst<number>((a, b) => a - b);
      let there: number[] = [];
      for (const step of steps) {
        there.sort((a, b) => a - b);
        expect(list.first).toBe(there[0]);
        if (step === undefined) {
          expect(list.take()).toBe(there[0]);
          there = there.slice(1);
        } else {
          list.add(step);
          there.push(step);
        }
      }
    }),
  );
});

test('adding and taking compare some times, however many there are', () => {
  let compared = 0;
  const list = new EarliestFirst<number>((a, b) => {
    compared++;
    return a - b;
  });
  for (let one = 0; one < 20_000; one++) list.add((one * 7_919) % 20_000);
  for (let one = 0; one < 20_000; one++) expect(list.take()).toBe(one);
  expect(compared / 20_000).toBeLessThan(50);
});
