import { nastyCards } from './nasty/cards';
import { nastyCode } from './nasty/code';
import type { NastyFamily } from './nasty/family';
import { nastyGraphs } from './nasty/graphs';
import { nastyTexts } from './nasty/texts';
import { nastyTrust } from './nasty/trust';
import { nastyYaml } from './nasty/yaml';

/**
 * Inputs with which an untrusted folder, model or server could keep a process busy. `cost` is the allowed time per character,
 * relative to parsing an ordinary YAML file in the same test run: about three times the normal time.
 */
export interface NastyGroup {
  readonly name: string;
  readonly cost: number;
  readonly families: readonly NastyFamily[];
}

export const nastyGroups: readonly NastyGroup[] = [
  { name: 'code', cost: 1.5, families: nastyCode },
  { name: 'cards', cost: 12, families: nastyCards },
  { name: 'YAML', cost: 10, families: nastyYaml },
  { name: 'graphs', cost: 14, families: nastyGraphs },
  { name: 'trust', cost: 40, families: nastyTrust },
  { name: 'texts', cost: 2, families: nastyTexts },
];

/** Returns growing sizes up to the largest, most of them small. */
export function growingSizes(largest: number, count: number): number[] {
  // Small inputs are tried first, so that exponential time is detected before it takes minutes.
  const smallest = 16;
  return Array.from({ length: count }, (_, index) => {
    const share = count === 1 ? 1 : index / (count - 1);
    return Math.round(smallest + (largest - smallest) * share ** 5);
  });
}
