import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { draftWords } from '@/lib/base/release-names';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { changesBetween, textFile, withChanges } from '@/lib/editor/document';
import { type DraftUpdate, givenFile, type LiveUpdateRequest, type Resolution } from '@/lib/editor/live-update';
import type { Rebased } from '@/lib/editor/rebase';
import type { Store } from '@/lib/store/database';
import { readDraftLine } from '@/lib/store/drafts';
import { type LiveRevision, lineOrigin, liveLine } from '@/lib/store/live-line';
import { type FileChange, findProject, type ProjectRow, readStoredTree } from '@/lib/store/projects';
import { moved } from '@/lib/store/revisions';
import { saveLiveUpdate } from '@/lib/store/update-draft';
import { folderLimits } from './folders/folder-limits';
import { checkedChanges } from './projects';
import { webReader } from './reading/web-reader';
import { withRoom } from './run-limits';
import { summaryKeeper } from './summaries';

/** A draft that is saved all the time is compared so often before the caller is told to wait. */
const attempts = 5;

/**
 * Brings what is live into a draft, with the merge that the editor makes when a save conflicts. Both began from the newest revision that
 * is in the lines of both. With conflicts that have no resolution nothing is saved. Throws AppError `conflict` if the draft or live is no
 * longer what the request names, `bad_request` if nothing is live or a resolution is about no conflict, `not_found` and `too_large`.
 */
export async function updateFromLive(
  actor: Actor,
  projectId: ProjectId,
  draft: string,
  request: LiveUpdateRequest = {},
): Promise<DraftUpdate> {
  const { resolutions = {} } = request;
  checkTexts(resolutions);
  const done = await withRoom(actor, 'project.edit', projectId, async ({ store }) => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const update = await mergeOnce(store, actor, projectId, draft, { ...request, resolutions });
      if (update !== moved) return update;
    }
    throw savedMeanwhile(draft);
  });
  if (done.state === 'updated') summaryKeeper().want(projectId);
  return done;
}

type Asked = LiveUpdateRequest & { readonly resolutions: Readonly<Record<string, Resolution>> };

async function mergeOnce(
  store: Store,
  actor: Actor,
  projectId: ProjectId,
  draft: string,
  request: Asked,
): Promise<DraftUpdate | typeof moved> {
  const row = await findProject(store, projectId, draft);
  const from = await readDraftLine(store, projectId, draft);
  const line = await liveLine(store.prisma, projectId, from);
  const { live, missed } = line;
  if (live === undefined) {
    throw new AppError('bad_request', 'Nothing of this project is live, so a draft cannot be updated from it.');
  }
  refuseMoved(row, live, request);
  const at = { version: row.version, live: live.number };
  if (missed.length === 0) return { state: 'current', ...at };
  const base = (await lineOrigin(store.prisma, projectId, from, line))?.treeHash;
  const { mine, rebased } = await merge(store, { base, mine: row.treeHash, theirs: live.treeHash });
  const { clashes, taken, merged, sides } = rebased;
  checkPaths(request.resolutions, clashes);
  const said = { ...at, taken, merged };
  if (clashes.some((path) => !Object.hasOwn(request.resolutions, path))) {
    const conflicts = clashes.map((path) => ({
      path,
      base: givenFile(sides.base.get(path)),
      ours: givenFile(sides.mine.get(path)),
      theirs: givenFile(sides.theirs.get(path)),
    }));
    return { state: 'conflicts', ...said, conflicts };
  }
  const changes = changesOf(mine, resolved(rebased, request.resolutions));
  const update = { draft, version: row.version, live, base, changes, limits: folderLimits };
  const version = await saveLiveUpdate(store, projectId, update, actor);
  return version === moved ? moved : { state: 'updated', ...said, version, resolved: clashes };
}

async function merge(
  store: Store,
  trees: { readonly base: TreeHash | undefined; readonly mine: TreeHash; readonly theirs: TreeHash },
): Promise<{ readonly mine: Folder; readonly rebased: Rebased }> {
  const [base, mine, theirs] = await Promise.all([
    trees.base === undefined ? new Map<string, FolderFile>() : readStoredTree(store, trees.base),
    readStoredTree(store, trees.mine),
    readStoredTree(store, trees.theirs),
  ]);
  const merged = await webReader().merge({ folder: mine, base, theirs });
  if (!merged.ok) throw new AppError('too_large', merged.error.message);
  return { mine, rebased: merged.value };
}

/** Returns the merged folder with what the person chose. */
function resolved({ folder, sides }: Rebased, resolutions: Asked['resolutions']): Folder {
  const chosen = Object.entries(resolutions).map(([path, resolution]) => {
    if (resolution === 'ours') return [path, sides.mine.get(path)] as const;
    return [path, resolution === 'theirs' ? sides.theirs.get(path) : textFile(resolution.text)] as const;
  });
  return withChanges(folder, new Map(chosen));
}

function changesOf(from: Folder, to: Folder): readonly FileChange[] {
  return [...changesBetween(from, to)].map(([path, file]) => {
    if (file?.kind === 'stored') return { path, blob: file.hash };
    return { path, file: file ?? null };
  });
}

function checkTexts(resolutions: Asked['resolutions']): void {
  const texts = Object.entries(resolutions).flatMap(([path, resolution]) =>
    typeof resolution === 'string' ? [] : [{ path, text: resolution.text }],
  );
  checkedChanges(texts);
}

function checkPaths(resolutions: Asked['resolutions'], clashes: readonly string[]): void {
  const other = Object.keys(resolutions).find((path) => !clashes.includes(path));
  if (other === undefined) return;
  throw new AppError('bad_request', `resolutions: "${other}" has no conflict. Ask again without resolutions.`);
}

/** What a person did not see is not saved. */
function refuseMoved(row: ProjectRow, live: LiveRevision, asked: LiveUpdateRequest): void {
  if (asked.version !== undefined && asked.version !== row.version) throw savedMeanwhile(row.draft);
  if (asked.live !== undefined && asked.live !== live.number) {
    throw new AppError(
      'conflict',
      `Revision ${live.number} is live now: somebody moved it since you looked. Nothing was saved. Compare again.`,
    );
  }
}

function savedMeanwhile(draft: string): AppError {
  return new AppError(
    'conflict',
    `The ${draftWords(draft)} was saved since you looked. Nothing was changed. Compare again.`,
  );
}
