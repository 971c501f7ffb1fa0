import { isAllowedSomewhere } from '@/app/allowed-somewhere';
import { findRuns, type RunQuery, readRunQuery } from '@/app/run-filter';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { scopeFor } from '@/lib/base/rights';
import { readSavedFilters } from '@/lib/server/run-lists';

export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the parts of an address, with those that are given more than once. */
export function partsOf(query: Query): readonly (readonly [string, string])[] {
  return Object.entries(query).flatMap(([key, value = []]) => [value].flat().map((each) => [key, each] as const));
}

/** Reads what the list of runs shows first. The browser asks again for a filter that is not valid, and is told what is wrong. */
export async function openRuns(actor: Actor, parts: readonly (readonly [string, string])[]) {
  const query = readQuery(parts);
  const [first, saved] = await Promise.all([query && findRuns(actor, query), readSavedFilters(actor)]);
  return {
    first,
    saved,
    readAt: Date.now(),
    imports: scopeFor(actor.reach, 'run.import') === 'all',
    deletes: isAllowedSomewhere(actor, 'run.delete'),
  };
}

function readQuery(parts: readonly (readonly [string, string])[]): RunQuery | undefined {
  try {
    return readRunQuery(parts);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
