import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from './generated/client';

/**
 * A database, open. `prisma` for the aggregates; `pool` for the few places that need one statement of their own, a
 * transaction shared with the queue, or LISTEN. Both draw on the same connections and make new ones after the server was
 * away.
 */
export interface Store {
  readonly url: string;
  readonly prisma: PrismaClient;
  readonly pool: Pool;
  close(): Promise<void>;
}

export function openStore(databaseUrl: string, options: { readonly maxConnections?: number } = {}): Store {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // An idle connection that breaks is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  // The same for one that is lent out and breaks between two statements; the next statement on it fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    url: databaseUrl,
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
