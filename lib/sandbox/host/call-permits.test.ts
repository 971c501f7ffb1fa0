import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallPermit, createCallPermits } from './call-permits';

const quiet = new AbortController().signal;
const tool = { isHook: false, depth: 0 };

test('lets so many work at once, and the next one when a call ends or rests', async () => {
  const permits = createCallPermits({ maxWorking: 2, maxHooks: 9 });
  const begun: string[] = [];
  const acquire = async (name: string, isHook = false) => {
    const permit = await permits.acquire({ isHook, depth: 0 }, quiet);
    begun.push(name);
    return permit;
  };
  const [a, b] = await Promise.all([acquire('a'), acquire('b', true)]);
  const later = [acquire('c'), acquire('d')];
  await setImmediate();
  expect(begun).toEqual(['a', 'b']);
  a?.release();
  a?.release();
  await later[0];
  expect(begun).toEqual(['a', 'b', 'c']);
  b?.suspend();
  await later[1];
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('lets so many hooks of one depth begin, and deeper calls before others', async () => {
  const permits = createCallPermits({ maxWorking: 1, maxHooks: 1 });
  const first = await permits.acquire({ isHook: true, depth: 0 }, quiet);
  const begun: string[] = [];
  const acquire = (name: string, call: { isHook: boolean; depth: number }) =>
    permits.acquire(call, quiet).then((permit) => {
      begun.push(name);
      permit?.release();
    });
  const all = [
    acquire('second hook', { isHook: true, depth: 0 }),
    acquire('tool', tool),
    acquire('hook below', { isHook: true, depth: 1 }),
  ];
  first?.suspend();
  await setImmediate();
  expect(begun).toEqual(['hook below', 'tool']);
  first?.release();
  await Promise.all(all);
  expect(begun).toEqual(['hook below', 'tool', 'second hook']);
});

test('a call that is stopped while it waits leaves the row', async () => {
  const permits = createCallPermits({ maxWorking: 1, maxHooks: 1 });
  const first = await permits.acquire(tool, quiet);
  const stop = new AbortController();
  const [stopped, waiting] = [permits.acquire(tool, stop.signal), permits.acquire(tool, quiet)];
  stop.abort();
  expect(await stopped).toBeUndefined();
  first?.release();
  expect(await waiting).toBeDefined();
  const last = permits.acquire(tool, quiet);
  permits.close();
  expect(await last).toBeUndefined();
});

interface Work {
  readonly language: 0 | 1;
  readonly below: readonly Work[];
}

test('no calls wait for each other in a cycle, however hooks of two languages are nested', async () => {
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
          createCallPermits({ maxWorking, maxHooks }),
          createCallPermits({ maxWorking, maxHooks }),
        ] as const;
        let done = 0;
        const run = async ({ language, below }: Work, depth: number): Promise<void> => {
          const isHook = below.length > 0;
          const permit: CallPermit | undefined = await languages[language].acquire({ isHook, depth }, quiet);
          permit?.suspend();
          await Promise.all(below.map((one) => run(one, depth + 1)));
          permit?.resume();
          await null;
          permit?.release();
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
