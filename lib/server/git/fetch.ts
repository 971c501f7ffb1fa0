import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { readFetchRequest } from '@/lib/interop/git/fetch-request';
import { negotiate } from '@/lib/interop/git/negotiate';
import { bandLines, flushLine, joined, pktLine } from '@/lib/interop/git/pkt-line';
import { advertisement, type GitService, headOf } from '@/lib/interop/git/refs';
import { withStore, withStoreOnce } from '@/lib/server/services';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { type History, readHistory } from '@/lib/store/git/history';
import { type PackPlan, packObjects, planPack, readBlobs } from '@/lib/store/git/pack-plan';
import { writePack } from '@/lib/store/git/write-pack';
import { findProject } from '@/lib/store/projects';

/** Returns the first answer to a git client: the refs of a project. Throws AppError `not_found` and `not_allowed`. */
export async function listRefs(actor: Actor, project: ProjectId, service: GitService): Promise<Uint8Array> {
  const action = service === 'git-receive-pack' ? 'project.edit' : 'project.export';
  return await withStore(actor, action, { project }, async (store) => {
    await findProject(store, project);
    return advertisement(service, (await readHistory(store, project)).refs);
  });
}

/**
 * Answers a fetch: what both have, and then the pack of what the client lacks, in parts. Throws AppError as `listRefs` does, and
 * `bad_request` for a request that is not of git.
 */
export async function fetchPack(
  actor: Actor,
  project: ProjectId,
  body: Uint8Array,
): Promise<AsyncGenerator<Uint8Array>> {
  const { lines, plan, isBand } = await withStore(actor, 'project.export', { project }, async (store) => {
    await findProject(store, project);
    const request = readFetchRequest(body);
    const isBand = request.abilities.has('side-band-64k');
    const history = await readHistory(store, project);
    const unknown = request.wants.find((hash) => !history.commits.has(hash));
    if (unknown !== undefined) {
      return { lines: [pktLine(`ERR The project has no commit ${unknown}. Fetch again.\n`)], plan: undefined, isBand };
    }
    const answer = negotiate(request, history.commits);
    if (answer.common === undefined) return { lines: answer.lines, plan: undefined, isBand };
    const wanted = { wants: request.wants, haves: answer.common };
    return { lines: answer.lines, plan: await planPack(store.prisma, project, history, wanted), isBand };
  });
  if (plan !== undefined) await noteExport(actor, project, 'git');
  return answerOf(lines, plan && packOf(actor, project, plan), isBand);
}

async function* answerOf(
  lines: readonly Uint8Array[],
  pack: AsyncGenerator<Uint8Array> | undefined,
  isBand: boolean,
): AsyncGenerator<Uint8Array> {
  if (lines.length > 0) yield joined(lines);
  if (pack === undefined) return;
  for await (const part of pack) {
    if (isBand) yield joined([...bandLines('data', part)]);
    else yield part;
  }
  if (isBand) yield flushLine;
}

/** Files are read while the pack is sent, and the right to read them is decided on again each time. */
function packOf(actor: Actor, project: ProjectId, plan: PackPlan): AsyncGenerator<Uint8Array> {
  const objects = packObjects(plan, (hashes) =>
    withStore(actor, 'project.export', { project }, (store) => readBlobs(store.prisma, hashes)),
  );
  return writePack(plan.count, objects);
}

export interface GitBundle {
  readonly name: string;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/** Returns a project with its whole history as one file, which `git clone` reads (gitformat-bundle, version 2). */
export async function bundleProject(actor: Actor, project: ProjectId): Promise<GitBundle> {
  const { name, refs, plan } = await withStore(actor, 'project.export', { project }, async (store) => {
    const row = await findProject(store, project);
    const history = await readHistory(store, project);
    if (history.refs.length === 0) {
      throw new AppError('conflict', 'The project has no revision yet. Save one, then download its history.');
    }
    return { name: row.name, ...(await everything(store, project, history)) };
  });
  await noteExport(actor, project, 'bundle');
  const heads = refs.map((ref) => `${ref.hash} ${ref.name}\n`).join('');
  return { name, chunks: bundleOf(`# v2 git bundle\n${heads}\n`, packOf(actor, project, plan)) };
}

async function everything(store: Store, project: ProjectId, history: History) {
  const head = headOf(history.refs);
  const refs = [...(head === undefined ? [] : [{ name: 'HEAD', hash: head.hash }]), ...history.refs];
  const wants = history.refs.map(({ hash }) => hash);
  return { refs, plan: await planPack(store.prisma, project, history, { wants, haves: [] }) };
}

async function* bundleOf(head: string, pack: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(head);
  yield* pack;
}

async function noteExport(actor: Actor, project: ProjectId, form: 'git' | 'bundle'): Promise<void> {
  await withStoreOnce(actor, 'project.export', { project }, async ({ store }) => {
    await appendAudit(store.pool, { actor, action: 'project.exported', object: project, project, body: { form } });
  });
}
