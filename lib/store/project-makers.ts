import type { Store } from './database';
import { readSetting } from './settings';

interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** The setting that only administrators make projects. */
const key = 'projects.makers';

/** True if only administrators make projects. */
export async function isMakingRestricted(store: Store): Promise<boolean> {
  return (await readSetting(store, key)) === 'administrators';
}

export async function restrictMaking(connection: Connection, restricted: boolean): Promise<void> {
  await connection.query(
    'INSERT INTO "Setting" (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2',
    [key, restricted ? 'administrators' : 'everybody'],
  );
}

/** SQL: true for a person `u` who may make projects. Sessions and tokens ask with the person, in one statement. */
export const makesProjects = `(u.administrator
  OR NOT EXISTS (SELECT 1 FROM "Setting" WHERE key = '${key}' AND value = 'administrators'))`;
