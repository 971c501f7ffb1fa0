import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallPlace, createCallPlaces } from './call-places';

const quiet = new AbortController().signal;
const tool = { isHook: false, depth: 0 };

test('lets so many work at once, and the next one when a call ends or rests', async () => {
  const places = createCallPlaces({ maxWorking: 2, maxHooks: 9 });
  const begun: string[] = [];
  const enter = async (name: string, isHook = false) => {
    const place = await places.enter({ isHook, depth: 0 }, quiet);
    begun.push(name);
    return place;
  };
  const [a, b] = await Promise.all([enter('a'), enter('b', true)]);
  const later = [enter('c'), enter('d')];
  await setImmediate();
  expect(begun).toEqual(['a', 'b']);
  a?.leave();
  a?.leave();
  await later[0];
  expect(begun).toEqual(['a', 'b', 'c']);
  b?.rest();
  await later[1];
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('lets so many hooks of one depth begin, and deeper calls before others', async () => {
  const places = createCallPlaces({ maxWorking: 1, maxHooks: 1 });
  const first = await places.enter({ isHook: true, depth: 0 }, quiet);
  const begun: string[] = [];
  const enter = (name: string, call: { isHook: boolean; depth: number }) =>
    places.enter(call, quiet).then((place) => {
      begun.push(name);
      place?.leave();
    });
  const all = [
    enter('second hook', { isHook: true, depth: 0 }),
    enter('tool', tool),
    enter('hook below', { isHook: true, depth: 1 }),
  ];
  first?.rest();
  await setImmediate();
  expect(begun).toEqual(['hook below', 'tool']);
  first?.leave();
  await Promise.all(all);
  expect(begun).toEqual(['hook below', 'tool', 'second hook']);
});

test('a call that is stopped while it waits leaves the row', async () => {
  const places = createCallPlaces({ maxWorking: 1, maxHooks: 1 });
  const first = await places.enter(tool, quiet);
  const stop = new AbortController();
  const [stopped, waiting] = [places.enter(tool, stop.signal), places.enter(tool, quiet)];
  stop.abort();
  expect(await stopped).toBeUndefined();
  first?.leave();
  expect(await waiting).toBeDefined();
  const last = places.enter(tool, quiet);
  places.close();
  expect(await last).toBeUndefined();
});

interface Work {
  readonly language: 0 | 1;
  readonly below: readonly Work[];
}

test('no calls wait for each other in a ring, however hooks of two languages are nested', async () => {
  const work = (levels: number): fc.Arbitrary<Work> =>
    fc.record({
      language: fc.constantFrom<0 | 1>(0, 1),
      below: levels === 0 ? fc.constant([]) : fc.array(work(levels - 1), { maxLength: 3 }),
    });
  await fc.assert(
    fc.asyncProperty(
      fc.array(work(3), { maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      async (roots, maxWorking, maxHooks) => {
        const languages = [
          createCallPlaces({ maxWorking, maxHooks }),
          createCallPlaces({ maxWorking, maxHooks }),
        ] as const;
        let done = 0;
        const run = async ({ language, below }: Work, depth: number): Promise<void> => {
          const isHook = below.length > 0;
          const place: CallPlace | undefined = await languages[language].enter({ isHook, depth }, quiet);
          place?.rest();
          await Promise.all(below.map((one) => run(one, depth + 1)));
          place?.resume();
          await null;
          place?.leave();
          done += 1;
        };
        const ended = Promise.all(roots.map((one) => run(one, 0)));
        const count = (list: readonly Work[]): number => list.reduce((sum, one) => sum + 1 + count(one.below), 0);
        await Promise.race([ended, setImmediate(undefined).then(() => setImmediate())]);
        expect(done).toBe(count(roots));
      },
    ),
  );
});
