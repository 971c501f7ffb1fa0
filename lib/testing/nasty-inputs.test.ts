import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { cpuOf } from './cpu-time';
import type { NastyFamily } from './nasty/family';
import { growingSizes, nastyGroups } from './nasty-inputs';
import { type SeededRandom, seededRandom } from './seeded-random';

/**
 * Everything that reads what people, models and servers send takes time in proportion to its size. The bound is a multiple of
 * what an ordinary YAML file of that size takes in the same run, so that it holds on any machine. Inputs grow: a function that
 * is worse than linear breaks the bound at some size, before it runs for minutes.
 */
const inputsInAll = 2_000;
const familyCount = nastyGroups.reduce((sum, { families }) => sum + families.length, 0);
const inputsOfFamily = Math.ceil(inputsInAll / familyCount);
const seed = 20_261_122;

/** Short inputs are allowed the time of so many characters: they pay for what is done once. */
const startSize = 4_000;
/** A pause of the garbage collector, or code that is not compiled yet, may fall into one attempt; not into each. */
const attempts = 4;

/** What one character of the reference took, as measured last. */
let microsecondsPerCharacter = 0;

beforeAll(async () => {
  await measureReference(15);
  expect(microsecondsPerCharacter).toBeGreaterThan(0);
});

describe.each(nastyGroups)('$name', ({ families, cost }) => {
  test.each(families)('$name', async (family) => {
    const random = seededRandom(seed);
    for (const size of growingSizes(family.largest, inputsOfFamily)) {
      const { made, best, allowed } = await timeOf(family, size, random, cost);
      expect(best, `${made} characters take ${Math.round(best / 1_000)} ms`).toBeLessThan(allowed);
    }
  });
});

/** The shortest time of some attempts, each with an input of its own; one is enough where it keeps to the bound. */
async function timeOf(family: NastyFamily, size: number, random: SeededRandom, cost: number) {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    const input = family.make(size, random);
    best = Math.min(best, await cpuOf(() => input.run()));
    const allowed = cost * microsecondsPerCharacter * (input.size + startSize);
    if (best < allowed || attempt === attempts) return { made: input.size, best, allowed };
    // The machine may be slower by now, for the reference too.
    await measureReference(5);
  }
}

async function measureReference(rounds: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const text = ordinaryYaml(round);
    times.push((await cpuOf(() => parseDocument(text))) / text.length);
  }
  times.sort((a, b) => a - b);
  microsecondsPerCharacter = times[Math.floor(rounds / 3)] ?? 0;
}

function ordinaryYaml(round: number): string {
  return Array.from({ length: 1_000 }, (_, index) => `key_${round}_${index}: some value of it\n`).join('');
}
