import type { ProjectId } from '@/lib/base/ids';
import type { Fingerprints, KnownServer, KnownServers, Listing, OfferKind, ServerNews } from '@/lib/base/known-servers';
import type { Store } from './database';
import { noProject } from './not-found';
import type { Db } from './trees';
import { writing } from './writing';

/*
 * What is known of the MCP servers of a project: `ServerListing` has what the last test listed, and `ServerPick` what was listed
 * when a filter of an agent was last written. Contents are JSON texts, because a Postgres jsonb cannot hold U+0000.
 */

/** So many servers of a project are kept, those that were listed last, and so many picks. */
const mostServers = 100;
const mostPicks = 2_000;

/** Returns what is known of the servers of a project. A project that does not exist has none. */
export async function readKnownServers(store: Store, projectId: ProjectId): Promise<KnownServers> {
  const [listings, picks] = await Promise.all([
    store.prisma.serverListing.findMany({ where: { projectId }, orderBy: { server: 'asc' } }),
    store.prisma.serverPick.findMany({ where: { projectId } }),
  ]);
  return Object.fromEntries(
    listings.map(({ server, listing, prints }) => {
      const own = picks.filter((pick) => pick.server === server);
      // Only `keepServerNews` writes these columns.
      const known: Omit<KnownServer, 'picked'> = { listing: JSON.parse(listing), prints: JSON.parse(prints) };
      return [server, { ...known, picked: pickedBy(own) }];
    }),
  );
}

/** Returns what the servers of a project listed when they were last tested. */
export async function readListings(
  store: Pick<Store, 'pool'>,
  projectId: ProjectId,
): Promise<Readonly<Record<string, Listing>>> {
  const { rows } = await store.pool.query<{ server: string; listing: string }>({
    name: 'server-listings',
    text: 'SELECT server, listing FROM "ServerListing" WHERE "projectId" = $1',
    values: [projectId],
  });
  // Only `keepServerNews` writes this column.
  return Object.fromEntries(rows.map(({ server, listing }): [string, Listing] => [server, JSON.parse(listing)]));
}

interface PickRow {
  readonly agent: string;
  readonly kind: string;
  readonly prints: string;
}

function pickedBy(rows: readonly PickRow[]): KnownServer['picked'] {
  const agents = [...new Set(rows.map(({ agent }) => agent))].sort();
  return Object.fromEntries(
    agents.map((agent) => [
      agent,
      Object.fromEntries(
        rows
          .filter((row) => row.agent === agent)
          .map(({ kind, prints }): [string, Fingerprints] => [kind, JSON.parse(prints)]),
      ) satisfies Partial<Record<OfferKind, Fingerprints>>,
    ]),
  );
}

/** Stores news in their order. An older listing never replaces a newer one. Throws AppError `not_found`. */
export async function keepServerNews(store: Store, projectId: ProjectId, news: readonly ServerNews[]): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    // News of one project are stored one after the other.
    const found = await db.$queryRaw<unknown[]>`SELECT 1 FROM "Project" WHERE id = ${projectId} FOR NO KEY UPDATE`;
    if (found.length === 0) throw noProject();
    for (const one of news) await keepOne(db, projectId, one);
    await dropOldest(db, projectId);
  }, writing);
}

async function keepOne(db: Db, projectId: ProjectId, news: ServerNews): Promise<void> {
  switch (news.news) {
    case 'listed': {
      const { server, listing, prints } = news;
      await db.$executeRaw`
        INSERT INTO "ServerListing" ("projectId", server, listing, prints, "listedAt")
        VALUES (${projectId}, ${server}, ${JSON.stringify(listing)}, ${JSON.stringify(prints)}, ${new Date(listing.probedAt)})
        ON CONFLICT ("projectId", server) DO UPDATE
          SET listing = EXCLUDED.listing, prints = EXCLUDED.prints, "listedAt" = EXCLUDED."listedAt"
          WHERE "ServerListing"."listedAt" <= EXCLUDED."listedAt"`;
      return;
    }
    case 'picked': {
      const { server, agent, kind, first } = news;
      const prints = JSON.stringify(news.prints);
      await db.$executeRaw`
        INSERT INTO "ServerPick" ("projectId", server, agent, kind, prints)
        VALUES (${projectId}, ${server}, ${agent}, ${kind}, ${prints})
        ON CONFLICT ("projectId", server, agent, kind) DO UPDATE SET prints = EXCLUDED.prints, "pickedAt" = now()
          WHERE NOT ${first}`;
      return;
    }
    case 'renamed': {
      const { from, to } = news;
      const taken = await db.serverListing.findUnique({ where: { projectId_server: { projectId, server: to } } });
      if (taken !== null || from === to) return;
      await db.serverPick.deleteMany({ where: { projectId, server: to } });
      await db.serverListing.updateMany({ where: { projectId, server: from }, data: { server: to } });
      await db.serverPick.updateMany({ where: { projectId, server: from }, data: { server: to } });
      return;
    }
  }
}

async function dropOldest(db: Db, projectId: ProjectId): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "ServerListing" WHERE "projectId" = ${projectId} AND server IN (
      SELECT server FROM "ServerListing" WHERE "projectId" = ${projectId} ORDER BY "listedAt" DESC OFFSET ${mostServers})`;
  await db.$executeRaw`
    DELETE FROM "ServerPick" WHERE "projectId" = ${projectId} AND (server, agent, kind) IN (
      SELECT server, agent, kind FROM "ServerPick" WHERE "projectId" = ${projectId}
      ORDER BY "pickedAt" DESC OFFSET ${mostPicks})`;
}
