import type { HookChoice } from '@/lib/base/hook-report';
import type { ChainEntry } from '@/lib/graph/hook-chain';

/** Returns how a worker is told of one entry of a chain. */
export function hookChoiceOf({ id, origin, phase }: Pick<ChainEntry, 'id' | 'origin' | 'phase'>): HookChoice {
  return phase === 'around' ? { origin, index: Number(id.slice(id.lastIndexOf('.') + 1)) } : { phase };
}

export function isSameChoice(a: HookChoice | undefined, b: HookChoice | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
