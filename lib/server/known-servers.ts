import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import type { KnownServers, ServerNews } from '@/lib/base/known-servers';
import { keepServerNews, readKnownServers } from '@/lib/store/known-servers';
import { findProject } from '@/lib/store/projects';
import { withStore, withStoreOnce } from './services';

/** Returns what is known of the MCP servers of a project from tests of its editors. Throws AppError `not_found`. */
export async function knownServers(actor: Actor, id: ProjectId): Promise<KnownServers> {
  return await withStore(actor, 'project.read', { project: id }, async (store) => {
    await findProject(store, id);
    return await readKnownServers(store, id);
  });
}

/** Stores what an editor has found out, and returns what is known then. Throws AppError `not_found`. */
export async function learnServers(actor: Actor, id: ProjectId, news: readonly ServerNews[]): Promise<KnownServers> {
  // Whoever may run tests learns what servers offer. A filter is the editor's.
  const action = news.every((each) => each.news === 'listed') ? 'run.start' : 'project.edit';
  return await withStoreOnce(actor, action, { project: id }, async ({ store }) => {
    await keepServerNews(store, id, news);
    return await readKnownServers(store, id);
  });
}
