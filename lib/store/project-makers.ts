import type { Store } from './database';
import { readSetting, writeSetting } from './settings';

/** The setting that only administrators make projects. */
const key = 'projects.makers';

/** True if only administrators make projects. */
export async function isMakingRestricted(store: Store): Promise<boolean> {
  return (await readSetting(store, key)) === 'administrators';
}

export async function restrictMaking(
  connection: Parameters<typeof writeSetting>[0],
  restricted: boolean,
): Promise<void> {
  await writeSetting(connection, key, restricted ? 'administrators' : 'everybody');
}

/** SQL: true for a person `u` who may make projects. Sessions and tokens ask with the person, in one statement. */
export const makesProjects = `(u.administrator
  OR NOT EXISTS (SELECT 1 FROM "Setting" WHERE key = '${key}' AND value = 'administrators'))`;
