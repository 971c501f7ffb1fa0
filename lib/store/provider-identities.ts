import type { PoolClient } from 'pg';
import type { Store } from './database';

/* The identities by which a provider of sign-ins knows people. Each person has one at most. */

/** The id of the row. It follows from the person, so a second identity of the person cannot be stored. */
export function identityId(provider: string, user: string): string {
  return `${provider}-${user}`;
}

/** True if the provider has signed in the person before. */
export async function hasIdentity(store: Store, provider: string, user: string): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    'SELECT 1 FROM auth_account WHERE "providerId" = $1 AND "userId" = $2 LIMIT 1',
    [provider, user],
  );
  return rowCount === 1;
}

/** Forgets how the provider knows a person. Returns false if it does not. */
export async function removeIdentity(
  connection: Pick<PoolClient, 'query'>,
  provider: string,
  user: string,
): Promise<boolean> {
  const { rowCount } = await connection.query('DELETE FROM auth_account WHERE "providerId" = $1 AND "userId" = $2', [
    provider,
    user,
  ]);
  return (rowCount ?? 0) > 0;
}
