import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { whyNotSecret } from '@/lib/base/secret-name';
import { findProject } from '@/lib/store/projects';
import { seal } from '@/lib/store/sealing';
import { labelOf, listSecrets, putSecret, removeSecret, type SecretRow } from '@/lib/store/secrets';
import { ownSealingKey } from './sealing-key';
import { withStore, withStoreOnce } from './services';

/** Where a secret belongs: a project, or with null the installation. */
export type SecretPlace = ProjectId | null;

/** Lists secrets without their values, which nothing reads again but workers. Throws AppError `not_found`. */
export async function readSecrets(place: SecretPlace): Promise<readonly SecretRow[]> {
  return await withStore(async (store) => {
    if (place !== null) await findProject(store, place);
    return await listSecrets(store, place);
  });
}

/**
 * Stores a secret in place of one with its name. Runs that begin later get it. Throws AppError `bad_request` for a name that cannot
 * be one, `not_found` for the project, and `unavailable` where this process has no key to seal with.
 */
export async function setSecret(
  actor: Actor,
  place: SecretPlace,
  { name, value, hosts }: { readonly name: string; readonly value: string; readonly hosts: readonly string[] },
): Promise<void> {
  const problem = whyNotSecret(name, value);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const key = ownSealingKey();
  const sealed = seal(value, labelOf(place, name), key);
  await withStoreOnce(async ({ store }) => {
    if (place !== null) await findProject(store, place);
    await putSecret(store, { id: randomUUID(), project: place, name, keyId: key.id, sealed, hosts }, actor);
  });
}

/** Removes a secret. Runs that begin later do not get it. Throws AppError `not_found`. */
export async function forgetSecret(actor: Actor, place: SecretPlace, name: string): Promise<void> {
  const gone = await withStoreOnce(({ store }) => removeSecret(store, { project: place, name }, actor));
  if (!gone) throw new AppError('not_found', `There is no secret ${name} here. It may have been removed already.`);
}
