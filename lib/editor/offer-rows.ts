import { isWildcard, nameOfPattern, namesIn, patternFor, patternOf } from '@/lib/cards/filter-patterns';
import type { Drift, Offered } from './server-listing';

/** One row of the list in which the things that a server offers are ticked. */
export interface OfferRow extends Offered {
  readonly ticked: boolean;
  /** The wildcard that ticks the row. It is unticked by removing the wildcard. */
  readonly by?: string;
  readonly state?: 'new' | 'gone' | 'changed';
}

/**
 * Returns the rows of a list: what the server offers, in its order, then names of the filter that it does not offer. Without
 * patterns everything is ticked. `offered` is `undefined` if the server was never tested.
 */
export function offerRows(
  offered: readonly Offered[] | undefined,
  patterns: readonly string[] | undefined,
  drift: Drift | undefined,
): readonly OfferRow[] {
  const added = new Set(drift?.added);
  const changed = new Set(drift?.changed);
  const rows = (offered ?? []).map((one): OfferRow => {
    const pattern = patterns === undefined ? undefined : patternFor(patterns, one.name);
    const state = added.has(one.name) ? 'new' : changed.has(one.name) ? 'changed' : undefined;
    return {
      ...one,
      ticked: patterns === undefined || pattern !== undefined,
      ...(pattern !== undefined && isWildcard(pattern) ? { by: pattern } : {}),
      ...(state === undefined ? {} : { state }),
    };
  });
  const listed = new Set(rows.map(({ name }) => name));
  const named = namesIn(patterns ?? []);
  const missing = [...new Set([...named, ...(drift?.gone ?? [])])].filter((name) => !listed.has(name));
  return [
    ...rows,
    ...missing.map((name): OfferRow => {
      const state = offered === undefined ? {} : ({ state: 'gone' } as const);
      return { name, ticked: named.includes(name), ...state };
    }),
  ];
}

/** Returns the patterns after a name was ticked or unticked. Without patterns, unticking one name picks all the others. */
export function withTick(
  rows: readonly OfferRow[],
  patterns: readonly string[] | undefined,
  name: string,
  on: boolean,
): readonly string[] {
  const before = patterns ?? rows.map((row) => patternOf(row.name));
  if (!on) return before.filter((pattern) => isWildcard(pattern) || nameOfPattern(pattern) !== name);
  return patternFor(before, name) === undefined ? [...before, patternOf(name)] : before;
}

/** Returns the rows whose name, title or description has every word of the text, in any letter case. */
export function searchedRows(rows: readonly OfferRow[], text: string): readonly OfferRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, title, description }) => {
    const told = `${name}\n${title ?? ''}\n${description ?? ''}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
}
