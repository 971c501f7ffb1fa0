import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { MirrorInfo, MirrorSettings } from '@/lib/base/mirror';
import { keyVariables } from '@/lib/cards/models/providers';
import { problemOfMirror } from '@/lib/jobs/mirror/mirror-address';
import { askForPush, findMirror, putMirror, removeMirror } from '@/lib/store/mirrors';
import { noMirror } from '@/lib/store/not-found';
import { findProject } from '@/lib/store/projects';
import { secretNames } from '@/lib/store/secrets';
import { countTry } from './limits/tries';
import { withStore, withStoreOnce } from './services';

/** Returns the mirror of a project and how its last push ended, or null. Throws AppError `not_found`. */
export async function readMirror(actor: Actor, project: ProjectId): Promise<MirrorInfo | null> {
  return await withStore(actor, 'project.read', { project }, async (store) => {
    await findProject(store, project);
    return (await findMirror(store, project)) ?? null;
  });
}

/**
 * Sets where the git history of a project goes. A worker pushes what is live there at once. Throws AppError `bad_request` for an address,
 * a user name or a secret that cannot be used, and `not_found`.
 */
export async function setMirror(actor: Actor, project: ProjectId, mirror: MirrorSettings): Promise<void> {
  const { url, user, secret } = mirror;
  const problem = problemOfMirror(url);
  if (problem !== undefined) throw new AppError('bad_request', `url: the address of the mirror ${problem}`);
  if (!/^[^:\p{Cc}]{1,100}$/u.test(user)) {
    throw new AppError('bad_request', 'user: a user name has 1 to 100 characters, and no colon.');
  }
  if (keyVariables.includes(secret)) {
    throw new AppError('bad_request', `secret: ${secret} is the key of a model provider, which goes nowhere else.`);
  }
  await withStoreOnce(actor, 'settings.change', { project }, async ({ store }) => {
    await findProject(store, project);
    if (!(await secretNames(store, project, { accounts: false })).includes(secret)) {
      const name = secret.slice(0, 100);
      throw new AppError('bad_request', `secret: there is no secret '${name}'. Set it in Settings, Secrets first.`);
    }
    if (!(await putMirror(store, project, mirror, actor))) throw noMirror();
  });
}

/** Removes the mirror of a project. What was pushed stays at the remote. Throws AppError `not_found`. */
export async function forgetMirror(actor: Actor, project: ProjectId): Promise<void> {
  await withStoreOnce(actor, 'settings.change', { project }, async ({ store }) => {
    if (!(await removeMirror(store, project, actor))) throw noMirror();
  });
}

/** Has a worker push now. Throws AppError `not_found`, and `too_many` after ten in ten minutes. */
export async function pushMirror(actor: Actor, project: ProjectId): Promise<void> {
  await withStoreOnce(actor, 'project.review', { project }, async ({ store }) => {
    await countTry(store, 'mirror push', project);
    if (!(await askForPush(store, project))) throw noMirror();
  });
}
