import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { openProject } from '@/lib/server/projects';
import type { EntryAgent } from '@/lib/server/reading/reading-jobs';
import { webReader } from '@/lib/server/reading/web-reader';
import { withStore } from '@/lib/server/services';
import { findProject } from '@/lib/store/projects';

/** What a project offers to others. */
export interface ServedAgent {
  readonly projectName: string;
  /** The version of the project's files. */
  readonly version: number;
  readonly entry: EntryAgent;
}

/** A tree never changes, so its entry agent does not either. */
const known = new LRUCache<TreeHash, EntryAgent>({ max: 500 });

/** The agent with which runs of the project begin. Throws AppError `not_found`, and `too_large` for files that cannot be read. */
export async function servedAgent(actor: Actor, projectId: ProjectId): Promise<ServedAgent> {
  const { name, version, treeHash } = await withStore(actor, 'project.read', { project: projectId }, (store) =>
    findProject(store, projectId),
  );
  const before = known.get(treeHash);
  if (before !== undefined) return { projectName: name, version, entry: before };
  const project = await openProject(actor, projectId);
  const read = await webReader().entry(project.folder);
  if (!read.ok) throw new AppError('too_large', read.error.message);
  const entry = read.value;
  if (entry === null) {
    const next = "Add a card, or set 'entry' in callboard.yaml.";
    throw new AppError('not_found', `The project '${name}' has no agent with which a run begins. ${next}`);
  }
  known.set(project.treeHash, entry);
  return { projectName: project.name, version: project.version, entry };
}
