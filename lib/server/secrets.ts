import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import { whyNotSecret } from '@/lib/base/secret-name';
import type { KeyRequest, ModelsRequest } from '@/lib/base/task';
import { ownEndpoint } from '@/lib/cards/models/key-endpoint';
import { keyVariables } from '@/lib/cards/models/providers';
import { appendAudit } from '@/lib/store/audit';
import { findProject } from '@/lib/store/projects';
import { seal, sealNamed, typedLabel } from '@/lib/store/sealing';
import { labelOf, listSecrets, putSecret, removeSecret } from '@/lib/store/secrets';
import { insertPlainTask, removeTask } from '@/lib/store/tasks';
import { placeIn } from './authorize';
import { ownSealingKey } from './sealing-key';
import { type SecretsOfPlace, withNamings } from './secret-namings';
import { withScope, withStore, withStoreOnce } from './services';
import { accountsAreOn } from './settings/process-env';

/** A secret as somebody sets it: `hosts` and `projects` may be empty. */
export interface GivenSecret {
  readonly name: string;
  readonly value: string;
  readonly hosts: readonly string[];
  readonly projects?: readonly ProjectId[];
}

/** Where a secret belongs: a project, or with null the installation. */
export type SecretPlace = ProjectId | null;

/**
 * Lists secrets without their values, which nothing reads again but workers, and what names them in the projects that the actor may read.
 * Throws AppError `not_found`.
 */
export async function readSecrets(actor: Actor, place: SecretPlace): Promise<SecretsOfPlace> {
  const rows = await withStore(actor, 'secrets.set', placeIn(place), async (store) => {
    if (place !== null) await findProject(store, place);
    return await listSecrets(store, place);
  });
  const listed = await withScope(actor, 'project.read', (store, scope) =>
    withNamings(store, rows, place === null ? scope : [place]),
  );
  return { ...listed, needsBounds: needsBounds(place) };
}

/** Lists the names of the secrets of a project, without those of the installation. Throws AppError `not_found`. */
export async function readSecretNames(actor: Actor, project: ProjectId): Promise<readonly string[]> {
  return await withStore(actor, 'secrets.set', { project }, async (store) => {
    await findProject(store, project);
    return (await listSecrets(store, project)).map(({ name }) => name);
  });
}

/**
 * Stores a secret in place of one with its name. Runs that begin later get it. Throws AppError `bad_request` for a name that cannot
 * be one, `not_found` for the project, and `unavailable` where this process has no key to seal with.
 */
export async function setSecret(
  actor: Actor,
  place: SecretPlace,
  { name, value, hosts, projects = [] }: GivenSecret,
): Promise<void> {
  const problem = whyNotSecret(name, value) ?? whyTooOpen(place, { name, hosts, projects });
  if (problem !== undefined) throw new AppError('bad_request', problem);
  const key = ownSealingKey();
  const sealed = seal(value, labelOf(place, name), key);
  await withStoreOnce(actor, 'secrets.set', placeIn(place), async ({ store }) => {
    if (place !== null) await findProject(store, place);
    await putSecret(store, { id: randomUUID(), project: place, name, keyId: key.id, sealed, hosts, projects }, actor);
  });
}

/** Where people have accounts, everybody may make a project and send a secret without bounds to an own address. */
function needsBounds(place: SecretPlace): boolean {
  return place === null && accountsAreOn();
}

function whyTooOpen(place: SecretPlace, secret: Omit<Required<GivenSecret>, 'value'>): string | undefined {
  if (place !== null) {
    return secret.projects.length === 0 ? undefined : 'projects: a secret of a project is for this project alone.';
  }
  if (!needsBounds(place) || keyVariables.includes(secret.name)) return undefined;
  if (secret.hosts.length > 0 || secret.projects.length > 0) return undefined;
  return `Name the hosts or the projects that may get ${secret.name}, or set it in one project: without that, who may edit any project could send it anywhere.`;
}

/** Removes a secret. Runs that begin later do not get it. Throws AppError `not_found`. */
export async function forgetSecret(actor: Actor, place: SecretPlace, name: string): Promise<void> {
  const gone = await withStoreOnce(actor, 'secrets.set', placeIn(place), ({ store }) =>
    removeSecret(store, { project: place, name }, actor),
  );
  if (!gone) throw new AppError('not_found', `There is no secret ${name} here. It may have been removed already.`);
}

/**
 * Asks a worker to try the key of a model provider, and returns the id of the task without waiting for it. Without `value` it is the
 * stored secret. A value goes sealed to the worker, and is not stored. Throws AppError `bad_request` for what is no key of a provider,
 * `not_found` for the project, and `unavailable`.
 */
export async function startKeyTest(
  actor: Actor,
  place: SecretPlace,
  { name, value }: { readonly name: string; readonly value?: string | undefined },
): Promise<TaskId> {
  const isKey = keyVariables.includes(name);
  if (!isKey) throw new AppError('bad_request', `${name.slice(0, 100)} is the key of no model provider.`);
  const problem = value === undefined ? undefined : whyNotSecret(name, value);
  if (problem !== undefined) throw new AppError('bad_request', problem);
  return await startPlainTask(actor, place, value, {
    request: (sealed) => ({ kind: 'key', name, sealed }),
    entry: { object: name, body: { stored: value === undefined } },
  });
}

/**
 * Asks a worker for the models of an address of one's own, and returns the id of the task without waiting for it. Nothing is stored. Who
 * sets secrets of a project confirms what it calls, so no confirmation is asked for. Throws AppError `bad_request` for what is no address,
 * `not_found` for the project, and `unavailable`.
 */
export async function startModelList(
  actor: Actor,
  project: ProjectId,
  { section, address, key }: { readonly section: string; readonly address: string; readonly key?: string | undefined },
): Promise<TaskId> {
  const found = ownEndpoint({ section, address, key });
  if (!found.ok) throw new AppError('bad_request', found.error);
  const { host } = new URL(found.value.endpoint.address);
  return await startPlainTask(actor, project, key, {
    request: (sealed) => ({ kind: 'models', section, address, sealed }),
    entry: { object: host, body: { stored: false } },
  });
}

interface PlainTask {
  readonly request: (sealed: string | undefined) => KeyRequest | ModelsRequest;
  /** What the audit log has of it. */
  readonly entry: { readonly object: string; readonly body: { readonly stored: boolean } };
}

/** Starts a task with a value that only workers can open. */
async function startPlainTask(
  actor: Actor,
  place: SecretPlace,
  value: string | undefined,
  { request, entry }: PlainTask,
): Promise<TaskId> {
  const id = brandAs<TaskId>(randomUUID());
  const sealed = value === undefined ? undefined : sealNamed(value, typedLabel(id), ownSealingKey());
  return await withStoreOnce(actor, 'secrets.set', placeIn(place), async ({ store, queue }) => {
    if (place !== null) await findProject(store, place);
    await appendAudit(store.pool, { action: 'secret.tested', project: place ?? undefined, actor, ...entry });
    await insertPlainTask(store, { id, projectId: place, request: request(sealed) });
    try {
      await queue.enqueueTask(id, undefined);
    } catch (error) {
      await removeTask(store, id).catch(() => undefined);
      throw error;
    }
    return id;
  });
}
