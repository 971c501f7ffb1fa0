import { isRecord, parseJson } from '@/lib/base/json';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import { type Fingerprints, filterKinds, fingerprints, type Listing } from './server-listing';

/**
 * What this browser knows of the servers of a project. It is kept beside drafts and not in the folder, because it is a fact
 * about servers and not about the project.
 */
export interface KnownServer {
  /** What the last successful test found. */
  readonly listing: Listing;
  /** Hashes of what the listing holds. They are kept even where its schemas are too large to keep. */
  readonly prints: Readonly<Record<FilterKind, Fingerprints>>;
  /** What the server listed when a filter was last written or accepted, by agent and kind. */
  readonly picked: Readonly<Record<string, Readonly<Partial<Record<FilterKind, Fingerprints>>>>>;
}

export type KnownServers = Readonly<Record<string, KnownServer>>;

/** The part of `localStorage` that is needed. */
export type ServerStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (projectId: string) => `callboard:servers:${projectId}`;
/** Schemas of a listing with more characters than this are not kept. Names and descriptions are. */
const mostCharacters = 400_000;

/** Returns what is kept for a project. Text of another form counts as nothing. */
export function findKnownServers(storage: Pick<Storage, 'getItem'>, projectId: string): KnownServers {
  try {
    const value = parseJson(storage.getItem(keyOf(projectId)) ?? '');
    return isRecord(value) ? Object.fromEntries(Object.entries<unknown>(value).filter(isEntry)) : {};
  } catch {
    // The storage is forbidden. The servers are unknown until they are tested.
    return {};
  }
}

/** Keeps what is known. Without room it is lost with the page, and a test finds it again. */
export function keepKnownServers(storage: ServerStorage, projectId: string, known: KnownServers): void {
  try {
    if (Object.keys(known).length === 0) storage.removeItem(keyOf(projectId));
    else storage.setItem(keyOf(projectId), JSON.stringify(mapValues(known, shortened)));
  } catch {
    // The storage is full or forbidden.
  }
}

/** Returns what is known after a test that listed something. */
export function withListing(known: KnownServers, server: string, listing: Listing): KnownServers {
  const before = Object.hasOwn(known, server) ? known[server] : undefined;
  return { ...known, [server]: { listing, prints: printsOf(listing), picked: before?.picked ?? {} } };
}

/** Remembers that the filters of an agent were written against the present list, for these kinds or all. */
export function withPicked(
  known: KnownServers,
  server: string,
  agent: string,
  kinds: readonly FilterKind[] = filterKinds,
): KnownServers {
  const entry = Object.hasOwn(known, server) ? known[server] : undefined;
  if (entry === undefined) return known;
  const { prints, picked } = entry;
  const now = Object.fromEntries(kinds.map((kind) => [kind, prints[kind]]));
  const before = Object.hasOwn(picked, agent) ? picked[agent] : {};
  return { ...known, [server]: { ...entry, picked: { ...picked, [agent]: { ...before, ...now } } } };
}

/** A server that got another name keeps what is known of it. */
export function withServerRenamed(known: KnownServers, from: string, to: string): KnownServers {
  if (!Object.hasOwn(known, from) || Object.hasOwn(known, to)) return known;
  return Object.fromEntries(Object.entries(known).map(([name, entry]) => [name === from ? to : name, entry]));
}

function printsOf(listing: Listing): Readonly<Record<FilterKind, Fingerprints>> {
  const [tools, resources, prompts] = filterKinds.map((kind) => fingerprints(listing, kind));
  return { tools: tools ?? {}, resources: resources ?? {}, prompts: prompts ?? {} };
}

function shortened(server: KnownServer): KnownServer {
  if (JSON.stringify(server.listing).length <= mostCharacters) return server;
  const tools = server.listing.tools.map((tool) => ({ ...tool, inputSchema: {} }));
  return { ...server, listing: { ...server.listing, tools } };
}

function mapValues<T>(from: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));
}

/** Only what this file wrote is expected, so only its outline is checked. */
function isEntry(entry: [string, unknown]): entry is [string, KnownServer] {
  const [, value] = entry;
  if (!isRecord(value) || !isRecord(value.listing) || !isRecord(value.picked)) return false;
  const { prints } = value;
  if (!isRecord(prints) || !filterKinds.every((kind) => isRecord(prints[kind]))) return false;
  const { tools, resources, prompts, probedAt } = value.listing;
  const isNamed = (one: unknown, key: string) => isRecord(one) && typeof one[key] === 'string';
  return (
    typeof probedAt === 'number' &&
    Array.isArray(tools) &&
    tools.every((one) => isNamed(one, 'name') && isRecord(one.inputSchema)) &&
    Array.isArray(resources) &&
    resources.every((one) => isNamed(one, 'uri') && isNamed(one, 'name')) &&
    Array.isArray(prompts) &&
    prompts.every((one) => isNamed(one, 'name') && Array.isArray(one.arguments))
  );
}
