import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { cpuOf } from './cpu-time';
import type { NastyFamily } from './nasty/family';
import { growingSizes, nastyGroups } from './nasty-inputs';
import { type SeededRandom, seededRandom } from './seeded-random';

const seed = 20_261_122;

/** Added to the size of each input, for constant costs. */
const startSize = 10_000;
/** Garbage collection or compilation may slow down one attempt, but not all. */
const attempts = 4;

/** The last measured time per character of the reference. */
let microsecondsPerCharacter = 0;

/**
 * Declares tests: everything that reads input of users, models and servers needs linear time. The bound is a multiple of the time for an
 * ordinary YAML file of that size in the same test run, so it holds on any machine. The inputs grow: a function that is worse
 * than linear exceeds the bound at some size, before it takes minutes. `share` is the share of the largest size that is tried.
 */
export function testLinearTime(inputsOfFamily: number, share = 1): void {
  beforeAll(async () => {
    await measureReference(15);
    expect(microsecondsPerCharacter).toBeGreaterThan(0);
  });

  describe.each(nastyGroups)('$name', ({ families, cost }) => {
    test.each(families)('$name', async (family) => {
      const random = seededRandom(seed);
      for (const size of growingSizes(family.largest * share, inputsOfFamily)) {
        const { made, best, allowed } = await timeOf(family, size, random, cost);
        expect(best, `${made} characters take ${Math.round(best / 1_000)} ms`).toBeLessThan(allowed);
      }
    });
  });
}

/** The shortest time of several attempts with different inputs. Stops at the first one within the bound. */
async function timeOf(family: NastyFamily, size: number, random: SeededRandom, cost: number) {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    const input = family.make(size, random);
    best = Math.min(best, await cpuOf(() => input.run()));
    const allowed = cost * microsecondsPerCharacter * (input.size + startSize);
    if (best < allowed || attempt === attempts) return { made: input.size, best, allowed };
    // The machine may have become slower, which affects the reference too.
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
