import type { Fingerprints, KnownServer, KnownServers, Listing, ServerNews } from '@/lib/base/known-servers';
import type { FilterKind } from '@/lib/cards/edit/server-filter';
import { filterKinds, fingerprints } from './server-listing';

/** Changes of what is known of the servers of a project, and the news of them for the other people of the project. */

/** Schemas of a listing with more characters than this are not kept. Names and descriptions are. */
const mostCharacters = 400_000;

/** Returns what is known after a test that listed something. */
export function withListing(known: KnownServers, server: string, listing: Listing): KnownServers {
  return { ...known, [server]: { listing, prints: printsOf(listing), picked: own(known, server)?.picked ?? {} } };
}

/** Returns what is known once the filters of an agent were written against the present list, for these kinds or all. */
export function withPicked(
  known: KnownServers,
  server: string,
  agent: string,
  kinds: readonly FilterKind[] = filterKinds,
): KnownServers {
  const entry = own(known, server);
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

/** Returns the news of the present list of a server. Schemas that are too large are left out of it. */
export function listedNews(known: KnownServers, server: string): readonly ServerNews[] {
  const entry = own(known, server);
  if (entry === undefined) return [];
  return [{ news: 'listed', server, listing: shortened(entry.listing), prints: entry.prints }];
}

/** Returns the news of what `withPicked` remembers. With `first` they count only where nothing is known yet. */
export function pickedNews(
  known: KnownServers,
  server: string,
  agent: string,
  {
    kinds = filterKinds,
    first = false,
  }: { readonly kinds?: readonly FilterKind[] | undefined; readonly first?: boolean } = {},
): readonly ServerNews[] {
  const prints = own(known, server)?.prints;
  if (prints === undefined) return [];
  return kinds.map((kind) => ({ news: 'picked', server, agent, kind, prints: prints[kind], first }));
}

function printsOf(listing: Listing): Readonly<Record<FilterKind, Fingerprints>> {
  const [tools, resources, prompts] = filterKinds.map((kind) => fingerprints(listing, kind));
  return { tools: tools ?? {}, resources: resources ?? {}, prompts: prompts ?? {} };
}

function shortened(listing: Listing): Listing {
  if (JSON.stringify(listing).length <= mostCharacters) return listing;
  return { ...listing, tools: listing.tools.map((tool) => ({ ...tool, inputSchema: {} })) };
}

function own(known: KnownServers, server: string): KnownServer | undefined {
  return Object.hasOwn(known, server) ? known[server] : undefined;
}
