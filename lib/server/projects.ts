import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { readName } from '@/lib/base/display-name';
import { brandAs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Savers } from '@/lib/base/presence';
import { type Action, type ProjectRight, rightsIn } from '@/lib/base/rights';
import { unservedModels } from '@/lib/cards/check/check-models';
import type { ExportReport } from '@/lib/cards/export/export-report';
import { decodeFile } from '@/lib/cards/files';
import type { Folder, LoadedFile } from '@/lib/cards/folder';
import { unlistedVariables } from '@/lib/cards/variables/asked-variables';
import type { Sketch } from '@/lib/graph/thumbnail';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { mainDraft } from '@/lib/store/draft-lock';
import { readSavers } from '@/lib/store/draft-savers';
import { findProjectNames, findProjectPage, type ListedProject } from '@/lib/store/project-pages';
import {
  countFiles,
  type FileChange,
  findProject,
  insertProject,
  type ProjectRow,
  readStoredTree,
  removeProject,
  saveDraft,
  updateProjectName,
} from '@/lib/store/projects';
import { findActiveRuns } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';
import type { NewTrust } from '@/lib/store/trust';
import type { RunState } from '@/lib/trace/run-state';
import { saveBrought } from './brought';
import { checkFilePath, checkFileSize, checkFolder, folderLimits } from './folders/folder-limits';
import { installationFor } from './installation';
import { cursorOf, placeOf } from './page-cursor';
import type { FolderCheck } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { withRoom } from './run-limits';
import { findSource, type RunTarget } from './run-target';
import { withScope, withStore, withStoreOnce } from './services';
import { summaryKeeper } from './summaries';

/** A project as lists show it. */
export type ProjectSummary = {
  readonly id: ProjectId;
  readonly name: string;
  readonly updatedAt: Date;
  readonly version: number;
  /** What the actor may do in the project. */
  readonly rights: readonly ProjectRight[];
  readonly lastRun?: { readonly id: RunId; readonly status: RunState; readonly startedAt: Date };
} & (
  | {
      readonly state: 'read';
      readonly agentCount: number;
      readonly errorCount: number;
      readonly sketch: Sketch;
    }
  /** The state while its files are being read, which takes a moment after a save. */
  | { readonly state: 'reading' }
  /** The state if its files could not be read. The project can still be opened and repaired. */
  | { readonly state: 'unreadable'; readonly issue: Issue }
);

export interface ProjectPage {
  readonly projects: readonly ProjectSummary[];
  /** The value of `after` for the next page; null on the last page. */
  readonly next: string | null;
  /** The number of matching projects on all pages. */
  readonly total: number;
}

/**
 * Lists projects, most recently changed first. `after` is `next` of the page before; any other value is AppError
 * `bad_request`. Uses stored summaries, and starts reading projects that have none.
 */
export async function listProjects(
  actor: Actor,
  query: {
    readonly text?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<ProjectPage> {
  const place = query.after === undefined ? undefined : placeOf(query.after);
  const after = place && { updatedAt: place.time, id: brandAs<ProjectId>(place.id) };
  const page = await withScope(actor, 'project.read', (store, scope) =>
    findProjectPage(store, { text: query.text, limit: query.limit, after, scope }),
  );
  for (const project of page.projects) if (project.isUnread) summaryKeeper().want(project.id);
  return {
    projects: page.projects.map((project) => toSummary(project, actor)),
    next: page.next === undefined ? null : cursorOf({ time: page.next.updatedAt, id: page.next.id }),
    total: page.total,
  };
}

/** Lists only names of projects in which the actor may do something, for a choice. `total` counts all matches. */
export async function listProjectNames(
  actor: Actor,
  query: { readonly text?: string | undefined; readonly limit: number; readonly action?: Action },
): Promise<{
  readonly projects: readonly { readonly id: ProjectId; readonly name: string }[];
  readonly total: number;
}> {
  return await withScope(actor, query.action ?? 'project.read', (store, scope) =>
    findProjectNames(store, { text: query.text, limit: query.limit, scope }),
  );
}

function toSummary({ id, name, updatedAt, version, lastRun, folder }: ListedProject, actor: Actor): ProjectSummary {
  const rights = [...rightsIn(actor.reach, id)];
  const common = { id, name, updatedAt, version, rights, ...(lastRun && { lastRun }) };
  if (folder === undefined) return { ...common, state: 'reading' };
  if ('issue' in folder) return { ...common, state: 'unreadable', issue: folder.issue };
  return { ...common, state: 'read', ...folder };
}

/**
 * Checks a folder: its cards and their problems, including variables that this installation does not pass to projects and
 * models that it has no provider for. Throws AppError `bad_request` or `too_large` when the folder cannot be stored.
 */
export async function checkProject(actor: Actor, folder: Folder): Promise<Omit<FolderCheck, 'needs' | 'models'>> {
  await withStore(actor, 'installation.use', 'installation', async () => undefined);
  checkFolder(folder);
  const { cards, issues, needs, models, report } = await webReader().check(folder);
  const env = await installationFor();
  const unlisted = unlistedVariables(needs, Object.keys(env.projectEnv), env.secrets);
  const unserved = unservedModels(models, { variables: env.models, projectEnv: env.projectEnv, hasValues: false });
  return { cards, issues: [...issues, ...unlisted, ...unserved], report };
}

/** Creates a project. Throws AppError `bad_request` or `too_large` for a name or folder that cannot be stored. */
export async function createProject(
  actor: Actor,
  input: {
    readonly name: string;
    readonly folder: Folder;
    /** Says who brought the folder. By default a browser did, so that its runs wait for a confirmation. */
    readonly trust?: NewTrust;
  },
): Promise<{ readonly id: ProjectId }> {
  const name = checkName(input.name);
  checkFolder(input.folder);
  const id = await withStoreOnce(
    actor,
    'project.create',
    'installation',
    async ({ store }) => await insertProject(store, name, input.folder, input.trust, actor),
  );
  summaryKeeper().want(id);
  return { id };
}

export interface OpenedProject {
  readonly id: ProjectId;
  readonly name: string;
  readonly version: number;
  readonly treeHash: TreeHash;
  readonly folder: Folder;
  readonly updatedAt: Date;
}

/** Returns the project without its files. Throws AppError `not_found`. */
export async function describeProject(
  actor: Actor,
  id: ProjectId,
  draft?: string,
): Promise<Omit<OpenedProject, 'folder' | 'treeHash'> & { readonly files: number }> {
  return await withStore(actor, 'project.read', { project: id }, async (store) => {
    const { name, version, updatedAt, treeHash } = await findProject(store, id, draft);
    return { id, name, version, updatedAt, files: await countFiles(store, treeHash) };
  });
}

/**
 * Returns the project with the files of its draft `main`, or of `target`; then `version` is the number of the revision. Throws AppError
 * `not_found`, like all functions below.
 */
export async function openProject(
  actor: Actor,
  id: ProjectId,
  target: RunTarget = { draft: mainDraft },
): Promise<OpenedProject> {
  return await withStore(actor, 'project.read', { project: id }, async (store) => {
    const { project, source } = await findSource(store, id, target);
    const { name, version, updatedAt } = project;
    const folder = await readTree(store.prisma, source.treeHash);
    return { id, name, version: source.revision?.number ?? version, treeHash: source.treeHash, folder, updatedAt };
  });
}

/** Names who saved a draft after a version. Throws AppError `not_found`. */
export async function saversSince(
  actor: Actor,
  id: ProjectId,
  since: number,
  draft: string = mainDraft,
): Promise<Savers> {
  return await withStore(actor, 'project.read', { project: id }, (store) =>
    readSavers(store, id, { draft, since }, actor),
  );
}

/** Works like `openProject`, for the editor: binary files are given by the hash of their bytes. */
export async function openInEditor(
  actor: Actor,
  id: ProjectId,
  target: RunTarget = { draft: mainDraft },
): Promise<OpenedProject> {
  return await withStore(actor, 'project.read', { project: id }, async (store) => {
    const { project, source } = await findSource(store, id, target);
    const { name, version, updatedAt } = project;
    const folder = await readStoredTree(store, source.treeHash);
    return { id, name, version: source.revision?.number ?? version, treeHash: source.treeHash, folder, updatedAt };
  });
}

/**
 * A file of a save: its new text or bytes, the hash of bytes that were uploaded or that the project has or recently had, or null
 * to remove it.
 */
export type SavedFile =
  | { readonly path: string; readonly text: string | null }
  | { readonly path: string; readonly base64: string }
  | { readonly path: string; readonly hash: string };

/**
 * Saves files over version `baseVersion`. `text: null` removes a file. Throws AppError `conflict` when the project was saved
 * since then, and `bad_request` or `too_large` for files that cannot be stored.
 */
export async function saveFiles(
  actor: Actor,
  id: ProjectId,
  save: {
    readonly draft?: string | undefined;
    readonly baseVersion: number;
    readonly changes: readonly SavedFile[];
    readonly brought?: boolean | undefined;
  },
): Promise<{ readonly version: number }> {
  const changes = checkedChanges(save.changes);
  const version = await withRoom(actor, 'project.edit', id, async ({ store }) => {
    const saving = () => saveDraft(store, id, { ...save, changes, limits: folderLimits, by: actor.by });
    if (!save.brought) return await saving();
    const paths = changes.map(({ path }) => path);
    return await saveBrought(store, actor, await findProject(store, id, save.draft), paths, saving);
  });
  summaryKeeper().wantWhenQuiet(id);
  return { version };
}

/** Checks the files of a save. Throws AppError `bad_request` or `too_large` for files that cannot be stored. */
export function checkedChanges(changes: readonly SavedFile[]): readonly FileChange[] {
  return changes.map((change) => {
    const { path } = change;
    checkFilePath(path);
    if ('hash' in change) return { path, blob: change.hash };
    if ('base64' in change) return { path, file: checkedFile(path, decodeFile(Buffer.from(change.base64, 'base64'))) };
    const { text } = change;
    if (text === null) return { path, file: null };
    if (/\p{Surrogate}/u.test(text)) {
      throw new AppError('bad_request', `The text of "${path}" holds half a character. Remove it.`);
    }
    return { path, file: checkedFile(path, { kind: 'text', text }) };
  });
}

function checkedFile(path: string, file: LoadedFile): LoadedFile {
  checkFileSize(path, file);
  return file;
}

export async function renameProject(actor: Actor, id: ProjectId, name: string): Promise<void> {
  const checked = checkName(name);
  await withStore(actor, 'project.edit', { project: id }, (store) => updateProjectName(store, id, checked, actor));
}

/** Stops the runs of the project, then removes the project with its runs. Workers later remove unreferenced files. */
export async function deleteProject(actor: Actor, id: ProjectId): Promise<void> {
  await withStoreOnce(actor, 'project.delete', { project: id }, async ({ store, queue }) => {
    for (const runId of await findActiveRuns(store, id)) await queue.cancelRun(runId);
    await removeProject(store, id, actor);
  });
}

/** Returns the folder, which leaves the app. */
export async function exportProject(
  actor: Actor,
  id: ProjectId,
): Promise<{ readonly name: string; readonly folder: Folder }> {
  return await withStore(actor, 'project.export', { project: id }, async (store) => {
    const row = await findProject(store, id);
    const folder = await readTree(store.prisma, row.treeHash);
    await noteExport(store, actor, row, 'folder');
    return { name: row.name, folder };
  });
}

/**
 * Exports the folder in a form that fast-agent's released loader accepts, with a report of features that fast-agent lacks.
 * With `isKept` the files leave the app, and the audit log has it; without, only the report is read. Throws AppError `bad_request`
 * for a folder that takes too long to read.
 */
export async function exportProjectForFastAgent(
  actor: Actor,
  id: ProjectId,
  isKept: boolean,
): Promise<{ readonly name: string; readonly folder: Folder; readonly report: ExportReport }> {
  const { name, folder } = await withStore(actor, 'project.export', { project: id }, async (store) => {
    const row = await findProject(store, id);
    const files = await readTree(store.prisma, row.treeHash);
    if (isKept) await noteExport(store, actor, row, 'fast-agent');
    return { name: row.name, folder: files };
  });
  const exported = await webReader().exportForFastAgent(folder);
  if (!exported.ok) throw new AppError('bad_request', exported.error.message);
  return { name, ...exported.value };
}

async function noteExport(store: Store, actor: Actor, { id, treeHash }: ProjectRow, form: string): Promise<void> {
  const body = { form, tree: treeHash };
  await appendAudit(store.pool, { actor, action: 'project.exported', object: id, project: id, body });
}

/** Runs `readZip` of ./folders/zip in another thread. */
export async function readZip(bytes: Uint8Array): Promise<Folder> {
  return await webReader().unzip(bytes);
}

function checkName(name: string): string {
  const trimmed = readName(name);
  if (trimmed === '') throw new AppError('bad_request', 'A project needs a name. Give it one.');
  if (trimmed.length > 200) throw new AppError('bad_request', 'A project name has at most 200 characters. Shorten it.');
  return trimmed;
}
