import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { PendingId, ProjectId, RunId, TaskId } from '@/lib/base/ids';
import { askWords, refusalWords } from '@/lib/base/project-access';
import { type Action, actions, decide } from '@/lib/base/rights';
import type { Store } from '@/lib/store/database';
import { noAlert, noGrant, noItem, noProject, noRun, noTarget, noTask } from '@/lib/store/not-found';
import { findAdmins, type Owned, projectOf } from '@/lib/store/owners';

/** Returns what belongs to a project, or to the installation if none is named. */
export function placeIn(project: ProjectId | null | undefined): Secured {
  return project === null || project === undefined ? 'installation' : { project };
}

/** What an action is about. Ids of runs, items, tasks, grants, targets and alerts stand for the project that they belong to. */
export type Secured =
  | 'installation'
  | { readonly project: ProjectId }
  | { readonly run: RunId }
  | { readonly item: PendingId }
  | { readonly task: TaskId }
  | { readonly grant: string }
  | { readonly target: string }
  | { readonly alert: string };

/**
 * Decides whether an actor may do something, and throws an AppError if not: `not_found`, with the sentence for an id that does not exist,
 * if the actor may not know of the project; `not_allowed`, with what is needed and whom to ask, if the right is missing. A run in the
 * bin, and its items, do not exist for anybody.
 */
export async function authorize(store: Store, actor: Actor, action: Action, object: Secured): Promise<void> {
  const { reach } = actor;
  if (reach === 'all') {
    if (canBeBinned(object)) await projectOfObject(store, object);
    return;
  }
  // Before any id is looked up, so that nothing is told about it.
  if (reach.kind === 'person' && reach.lacksSecondFactor === true && action !== 'account.enter') {
    throw new AppError('not_allowed', 'Here everybody needs a second factor. Add one on Account first.');
  }
  const project = object === 'installation' ? null : await projectOfObject(store, object);
  if (project !== null && reach.kind === 'share' && !isSharedRun(object, reach.run)) throw nothing(object);
  const decision = decide(reach, action, project);
  if (decision === 'allowed') return;
  if (decision === 'unseen') throw nothing(object);
  throw await refusal(store, actor, action, project);
}

function isSharedRun(object: Secured, run: RunId): boolean {
  return object !== 'installation' && 'run' in object && object.run === run;
}

/** True for what is gone while its run is in the bin. It is looked up each time. */
function canBeBinned(object: Secured): object is { readonly run: RunId } | { readonly item: PendingId } {
  return object !== 'installation' && ('run' in object || 'item' in object);
}

/** What a task, a grant, a target or an alert belongs to never changes. */
const owners = new LRUCache<string, { readonly project: ProjectId | null }>({ max: 10_000 });

async function projectOfObject(store: Store, object: Exclude<Secured, 'installation'>): Promise<ProjectId | null> {
  if ('project' in object) return object.project;
  const [owned, id] = ownedBy(object);
  const key = `${owned} ${id}`;
  const known = canBeBinned(object) ? undefined : owners.get(key);
  if (known !== undefined) return known.project;
  const project = await projectOf(store, owned, id);
  if (project === undefined) throw nothing(object);
  if (!canBeBinned(object)) owners.set(key, { project });
  return project;
}

function ownedBy(object: Exclude<Secured, 'installation' | { readonly project: ProjectId }>): readonly [Owned, string] {
  if ('run' in object) return ['Run', object.run];
  if ('item' in object) return ['PendingItem', object.item];
  if ('task' in object) return ['Task', object.task];
  if ('grant' in object) return ['Grant', object.grant];
  return 'alert' in object ? ['Alert', object.alert] : ['NotifyTarget', object.target];
}

/** The same error as for an id that nothing has, so that nobody learns which ids exist. */
function nothing(object: Secured): AppError {
  if (object === 'installation' || 'project' in object) return noProject();
  if ('run' in object) return noRun();
  if ('item' in object) return noItem();
  if ('task' in object) return noTask();
  if ('grant' in object) return noGrant();
  return 'alert' in object ? noAlert() : noTarget();
}

async function refusal(store: Store, { reach }: Actor, action: Action, project: ProjectId | null): Promise<AppError> {
  const { needs, words } = actions[action];
  if (reach === 'all' || reach.kind === 'share') return onlyOneRun();
  const said = `You may not ${words}.`;
  const { token } = reach;
  const full = token && { ...reach, token: undefined };
  if (full !== undefined && decide(full, action, project) === 'allowed') {
    const scoped = needs === 'self' || needs === 'use' ? 'Do it in the browser.' : `It needs the scope '${needs}'.`;
    return new AppError('not_allowed', `This token may not ${words}. ${scoped}`, { needs });
  }
  if (project === null)
    return new AppError('not_allowed', `${said} Ask an administrator of this installation.`, { needs });
  const ask = askWords(await findAdmins(store, project));
  return new AppError('not_allowed', refusalWords(words, needs, reach.members.get(project)?.role, ask), { needs });
}

/** Refuses what a share link does not show. */
export function onlyOneRun(): AppError {
  return new AppError('not_allowed', 'This link only shows a run.');
}
