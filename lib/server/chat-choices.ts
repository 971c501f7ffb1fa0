import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { ok } from '@/lib/base/result';
import { readTree } from '@/lib/store/trees';
import type { ChatChoices } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { findSource } from './run-target';
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
  const { name, treeHash, read } = await withStore(actor, 'project.read', { project: id }, async (store) => {
    const { project, source } = await findSource(store, id, {});
    const before = known.get(source.treeHash);
    const choices =
      before === undefined ? await webReader().chat(await readTree(store.prisma, source.treeHash)) : ok(before);
    return { name: project.name, treeHash: source.treeHash, read: choices };
  });
  if (!read.ok) return { name, problem: read.error.message };
  known.set(treeHash, read.value);
  return { name, choices: read.value };
}
