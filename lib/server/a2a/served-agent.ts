import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { ok } from '@/lib/base/result';
import type { EntryAgent } from '@/lib/server/reading/reading-jobs';
import { webReader } from '@/lib/server/reading/web-reader';
import { findSource } from '@/lib/server/run-target';
import { withStore } from '@/lib/server/services';
import { readTree } from '@/lib/store/trees';

/** What a project offers to others. */
export interface ServedAgent {
  readonly projectName: string;
  /** The number of the live revision, or the version of the draft where nothing is published. */
  readonly version: number;
  readonly entry: EntryAgent;
}

/** A tree never changes, so its entry agent does not either. */
const known = new LRUCache<TreeHash, EntryAgent>({ max: 500 });

/** The agent with which runs of the project begin. Throws AppError `not_found`, and `too_large` for files that cannot be read. */
export async function servedAgent(actor: Actor, projectId: ProjectId): Promise<ServedAgent> {
  const { name, version, treeHash, read } = await withStore(
    actor,
    'project.read',
    { project: projectId },
    async (store) => {
      const { project, source } = await findSource(store, projectId, {});
      const before = known.get(source.treeHash);
      const entry =
        before === undefined ? await webReader().entry(await readTree(store.prisma, source.treeHash)) : ok(before);
      const version = source.revision?.number ?? project.version;
      return { name: project.name, version, treeHash: source.treeHash, read: entry };
    },
  );
  if (!read.ok) throw new AppError('too_large', read.error.message);
  const entry = read.value;
  if (entry === null) {
    const next = "Add a card, or set 'entry' in callboard.yaml.";
    throw new AppError('not_found', `The project '${name}' has no agent with which a run begins. ${next}`);
  }
  known.set(treeHash, entry);
  return { projectName: name, version, entry };
}
