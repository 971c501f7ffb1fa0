import type { PoolClient } from 'pg';
import { removeSessions } from './auth-sessions';

/** How many of each a person has lost. */
export interface LostWaysIn {
  readonly passkeys: number;
  readonly tokens: number;
}

/**
 * Ends whatever lets somebody in as a person, but for the password and the provider: sessions, sign-ins that wait for a code, passkeys,
 * tokens, and logins of commands that have not fetched their token. Somebody who had the account may have made any of them.
 */
export async function endWaysIn(connection: Pick<PoolClient, 'query'>, user: string): Promise<LostWaysIn> {
  const count = async (text: string) => (await connection.query(text, [user])).rowCount ?? 0;
  await removeSessions(connection, user, 'all');
  // better-auth keeps a sign-in that waits for a code as a verification whose value is the person.
  await count('DELETE FROM auth_verification WHERE value = $1');
  await count('DELETE FROM "CliLogin" WHERE "userId" = $1');
  return {
    passkeys: await count('DELETE FROM auth_passkey WHERE "userId" = $1'),
    tokens: await count('UPDATE "ApiToken" SET "revokedAt" = now() WHERE "userId" = $1 AND "revokedAt" IS NULL'),
  };
}
