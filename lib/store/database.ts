import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from './generated/client';

/**
 * An open database. `prisma` serves ordinary queries. `pool` serves the few places that need a statement of their own, a
 * transaction shared with the queue, or LISTEN. Both use the same connections, and reconnect after an outage of the server.
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
  // The pool drops an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  // A connection in use may break between two statements. Its next statement then fails, and this listener keeps the
  // process alive.
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
