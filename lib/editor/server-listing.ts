import { canonicalJson } from '@/lib/base/canonical-json';
import { type Fingerprints, hashIn, type Listing, offerKinds, onlyReads, printOf } from '@/lib/base/known-servers';
import { sha256 } from '@/lib/base/sha256';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import { namesIn, patternFor } from '@/lib/cards/filter-patterns';

/** One thing that a server offers and a filter can name. */
export interface Offered {
  /** The name that a filter matches: of a tool or prompt, or the URI of a resource. */
  readonly name: string;
  /** What people read in place of the name, if there is such a text. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** The schema of a tool's arguments, or the arguments of a prompt. */
  readonly schema?: unknown;
  /** Whether a tool declares that it only reads. */
  readonly readOnly?: boolean | undefined;
}

/** What changed between a list that a filter was written against and the present list. */
export interface Drift {
  readonly added: readonly string[];
  /** Names that the filter takes and the server no longer lists. */
  readonly gone: readonly string[];
  /** Names that the filter takes, with another description or schema, or that no longer declare that they only read. */
  readonly changed: readonly string[];
}

export const filterKinds: readonly FilterKind[] = offerKinds;

export function offeredBy(listing: Listing, kind: FilterKind): readonly Offered[] {
  switch (kind) {
    case 'tools':
      return listing.tools.map(({ name, description, inputSchema, readOnly }) => ({
        name,
        description,
        schema: inputSchema,
        readOnly,
      }));
    case 'resources':
      return listing.resources.map(({ uri, name, description, mimeType }) => ({
        name: uri,
        title: name,
        description: description ?? mimeType,
      }));
    case 'prompts':
      return listing.prompts.map(({ name, description, arguments: given }) => ({
        name,
        description,
        ...(given.length === 0 ? {} : { schema: given }),
      }));
  }
}

export function fingerprints(listing: Listing, kind: FilterKind): Fingerprints {
  const encoder = new TextEncoder();
  return Object.fromEntries(
    offeredBy(listing, kind).map(({ name, description, schema, readOnly }) => {
      const text = canonicalJson(JSON.parse(JSON.stringify([description ?? null, schema ?? null])));
      return [name, printOf(sha256(encoder.encode(text)).slice(0, 16), readOnly)];
    }),
  );
}

/**
 * Compares what a server lists now with what it listed when the filter was written. Without that list, only names of the
 * filter that the server does not list are known to be gone.
 */
export function driftOf(
  patterns: readonly string[],
  now: Fingerprints,
  before: Fingerprints | undefined,
): Drift | undefined {
  const isTaken = (name: string) => patternFor(patterns, name) !== undefined;
  const named = namesIn(patterns);
  const known = [...new Set([...Object.keys(before ?? {}).filter(isTaken), ...named])];
  const drift = {
    added: before === undefined ? [] : Object.keys(now).filter((name) => !Object.hasOwn(before, name)),
    gone: known.filter((name) => !Object.hasOwn(now, name)),
    changed: known.filter((name) => {
      const [was, is] = [before && own(before, name), own(now, name)];
      if (was === undefined || is === undefined) return false;
      return hashIn(was) !== hashIn(is) || (onlyReads(was) && !onlyReads(is));
    }),
  };
  return drift.added.length + drift.gone.length + drift.changed.length === 0 ? undefined : drift;
}

/** Returns what changed, such as `new: a, b; gone: c`. */
export function driftWords({ added, gone, changed }: Drift): string {
  const parts = [
    ['gone', gone],
    ['changed', changed],
    ['new', added],
  ] as const;
  return parts
    .filter(([, names]) => names.length > 0)
    .map(([word, names]) => `${word}: ${listed(names)}`)
    .join('; ');
}

/** Names at most eight things and says how many more there are. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}

function own(prints: Fingerprints, name: string): string | undefined {
  return Object.hasOwn(prints, name) ? prints[name] : undefined;
}
