import type { StoredFixtureResult } from '@/lib/base/fixture-result';

/** A test of the draft. */
export interface ShownTest {
  readonly name: string;
  readonly description: string | undefined;
  readonly message: string | undefined;
  /** Why it cannot run. */
  readonly fault: string | undefined;
}

/** What the page of tests asks of the server. Both resolve to `undefined`, or to a sentence that says why it failed. */
export interface TestServices {
  start(mode: 'replay' | 'live', names: readonly string[] | undefined): Promise<string | undefined>;
  /** Reads the results again. */
  refresh(): void;
}

/** Returns the results by tree and name, as they are shown beside each other: the draft first, then the newest files. */
export function resultColumns(
  draft: string,
  results: readonly StoredFixtureResult[],
): readonly { readonly treeHash: string; readonly byName: ReadonlyMap<string, StoredFixtureResult> }[] {
  const columns = new Map<string, Map<string, StoredFixtureResult>>([[draft, new Map()]]);
  for (const result of results) {
    const column = columns.get(result.treeHash) ?? new Map<string, StoredFixtureResult>();
    columns.set(result.treeHash, column);
    if (!column.has(result.name)) column.set(result.name, result);
  }
  return [...columns].map(([treeHash, byName]) => ({ treeHash, byName }));
}
