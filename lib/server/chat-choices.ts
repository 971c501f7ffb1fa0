import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { findProject } from '@/lib/store/projects';
import { openProject } from './projects';
import type { ChatChoices } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { withStore } from './services';

/** A tree never changes, so what it offers does not either. */
const known = new LRUCache<TreeHash, ChatChoices>({ max: 200 });

/** What a conversation with the project may begin with, or a sentence that says why its files cannot be read. */
export type ChatProject = { readonly name: string } & (
  | { readonly choices: ChatChoices; readonly problem?: undefined }
  | { readonly choices?: undefined; readonly problem: string }
);

/** Throws AppError `not_found`. */
export async function chatProject(actor: Actor, id: ProjectId): Promise<ChatProject> {
  const found = await withStore(actor, 'project.read', { project: id }, (store) => findProject(store, id));
  const before = known.get(found.treeHash);
  if (before !== undefined) return { name: found.name, choices: before };
  const { name, treeHash, folder } = await openProject(actor, id);
  const read = await webReader().chat(folder);
  if (!read.ok) return { name, problem: read.error.message };
  known.set(treeHash, read.value);
  return { name, choices: read.value };
}
