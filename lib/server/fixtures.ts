import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { FixtureMode, StoredFixtureResult } from '@/lib/base/fixture-result';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import { withoutWords } from '@/lib/base/left-out';
import { writeFixture } from '@/lib/cards/edit/write-fixture';
import type { Expectations } from '@/lib/cards/fixture';
import { attachmentPath, fixtureNameFault, fixtureNames, fixturePath, recordingPath } from '@/lib/cards/fixture-files';
import { soundFixtureOf } from '@/lib/cards/project/sound-fixture';
import { fixtureGate } from '@/lib/fixtures/fixture-gate';
import { makeRecording } from '@/lib/fixtures/make-recording';
import { suggestExpectations } from '@/lib/fixtures/suggest';
import type { Store } from '@/lib/store/database';
import { mainDraft } from '@/lib/store/draft-lock';
import { readAllEvents } from '@/lib/store/events';
import { latestFixtureResults } from '@/lib/store/fixture-results';
import { noRun } from '@/lib/store/not-found';
import { findProject, saveDraft } from '@/lib/store/projects';
import { revisionsOfTrees } from '@/lib/store/revisions';
import { findFilesOfRun, findRun, type NewRun } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';
import { isActive } from '@/lib/trace/run-state';
import { folderLimits } from './folders/folder-limits';
import { oneAtATime } from './one-at-a-time';
import { checkedChanges } from './projects';
import { webReader } from './reading/web-reader';
import { admissionOf, withRoom } from './run-limits';
import { findSource, type RunTarget } from './run-target';
import { withStore, withStoreOnce } from './services';
import { mayStart } from './trust';

/** Results of as many sets of files are shown beside each other. */
const mostTrees = 6;
/** A project queues at most this many tests at once. */
const mostAtOnce = 200;

/** A test of the draft. */
export interface ListedFixture {
  readonly name: string;
  readonly description: string | undefined;
  readonly message: string | undefined;
  /** Why it cannot run. */
  readonly fault: string | undefined;
}

export interface ProjectFixtures {
  readonly projectName: string;
  /** The files of the draft. */
  readonly treeHash: TreeHash;
  readonly fixtures: readonly ListedFixture[];
  /** The newest run of each test on each of the newest files, newest first. */
  readonly results: readonly StoredFixtureResult[];
  /** The numbers of the revisions that have files of the draft or of results, by the hash of the files. */
  readonly revisions: Readonly<Record<string, number>>;
  /** What is in the way of the draft being published, as far as tests tell. */
  readonly reasons: readonly string[];
}

/** Lists the tests of the draft, and the newest results on it and on earlier files. Throws AppError `not_found`. */
export async function readFixtures(actor: Actor, projectId: ProjectId): Promise<ProjectFixtures> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const { treeHash, name: projectName } = await findProject(store, projectId);
    const folder = await readTree(store.prisma, treeHash);
    const fixtures = fixtureNames(folder).map((name): ListedFixture => {
      const { fixture, issues } = soundFixtureOf(folder, name);
      const [issue] = issues;
      const missing = folder.has(recordingPath(name)) ? undefined : `${recordingPath(name)} is missing.`;
      const fault = fixture === undefined ? issue && `${issue.file}:${issue.line}: ${issue.message}` : missing;
      return { name, description: fixture?.description, message: fixture?.message, fault };
    });
    const results = await latestFixtureResults(store, projectId, mostTrees);
    const { reasons } = fixtureGate(fixtureNames(folder), treeHash, results);
    const trees = new Set([treeHash, ...results.map((result) => result.treeHash)]);
    const revisions = await revisionsOfTrees(store.prisma, projectId, [...trees]);
    return { projectName, treeHash, fixtures, results, revisions, reasons };
  });
}

/** Suggests the name of a test of a run and what it may expect. Throws AppError `not_found`, also for a run of another project. */
export async function suggestFixture(
  actor: Actor,
  projectId: ProjectId,
  runId: RunId,
): Promise<{ readonly suggested: Expectations; readonly suggestedName: string }> {
  return await withStore(actor, 'run.texts', { run: runId }, async (store) => {
    const run = await findRun(store, runId, suggestedUnits);
    if (run.projectId !== projectId) throw new AppError('not_found', 'The project has no such run.');
    const suggested = suggestExpectations(await oneAtATime(() => readAllEvents(store, runId)));
    const words = run.message.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return { suggested, suggestedName: words.slice(0, 5).join('-').slice(0, 60) || (run.entryAgent ?? 'test') };
  });
}

const suggestedUnits = 200;

export interface SavedFixture {
  readonly run: RunId;
  readonly name: string;
  readonly description?: string | undefined;
  readonly expect: Expectations;
}

/**
 * Writes a run that has ended as a test into the draft of its project: the message, the files that came with it, what was answered, and
 * what is expected. Throws AppError `not_found`; `bad_request` for a name or a run that cannot be a test; `conflict` for a name that
 * is taken, and for a run that goes on.
 */
export async function saveFixture(actor: Actor, projectId: ProjectId, input: SavedFixture): Promise<void> {
  const { run: runId, name, description, expect } = input;
  const fault = fixtureNameFault(name);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  await withRoom(actor, 'project.edit', projectId, async ({ store }) => {
    const run = await findRun(store, runId);
    if (run.projectId !== projectId) throw noRun();
    if (isActive(run.status))
      throw new AppError('conflict', 'The run is still active. Wait for its end, then save it.');
    if (run.again?.kind === 'instance') {
      throw new AppError('bad_request', 'The run is one instance of another run. Save a whole run as a test.');
    }
    if (run.leftOut.length > 0) {
      const why = `The run is ${withoutWords(run.leftOut)}, and a test has everything.`;
      throw new AppError('bad_request', `${why} Run it whole, then save that run as a test.`);
    }
    const recording = await recordingOfRun(store, runId, run.treeHash);
    const files = (await findFilesOfRun(store, runId)) ?? [];
    const attachments = files.map((file) => attachmentPath(name, file.name.replaceAll(/[\\/]/g, '_')));
    const text = writeFixture({
      version: 1,
      ...(description !== undefined && description.trim() !== '' && { description }),
      ...(run.entryAgent !== undefined && { agent: run.entryAgent }),
      ...(run.model !== undefined && { model: run.model }),
      message: run.message,
      ...(attachments.length > 0 && { attachments }),
      expect,
    });
    const changes = checkedChanges([
      { path: fixturePath(name), text },
      { path: recordingPath(name), text: recording },
      ...files.map((file, index) => {
        const path = attachments[index] ?? '';
        return file.text === undefined ? { path, base64: file.data ?? '' } : { path, text: file.text };
      }),
    ]);
    const project = await findProject(store, projectId);
    if (fixtureNames(await readTree(store.prisma, project.treeHash)).includes(name)) {
      throw new AppError(
        'conflict',
        `There is a test '${name}' already. Choose another name, or remove that one first.`,
      );
    }
    await saveDraft(store, projectId, { baseVersion: project.version, changes, limits: folderLimits, by: actor.by });
  });
}

async function recordingOfRun(store: Store, runId: RunId, treeHash: TreeHash): Promise<string> {
  const read = await webReader().readForRun(await readTree(store.prisma, treeHash));
  if (!read.ok) throw new AppError('bad_request', read.error.message);
  const log = await oneAtATime(() => readAllEvents(store, runId));
  const made = makeRecording(log, read.value.parsed);
  if (!made.ok) throw new AppError('bad_request', made.error);
  return made.value;
}

export interface StartedFixtures {
  /** All of them by default. */
  readonly names?: readonly string[] | undefined;
  readonly mode: FixtureMode;
  /** Of which files; of the draft `main` by default. */
  readonly target?: RunTarget | undefined;
}

/**
 * Queues tests, all of them or the named ones, of the draft `main` or of another draft or revision, and returns how many. Throws AppError
 * `not_found`, also for a name that the files do not have, `bad_request`, `not_trusted`, `too_many` and `over_budget`.
 */
export async function startFixtures(
  actor: Actor,
  projectId: ProjectId,
  { names, mode, target = {} }: StartedFixtures,
): Promise<{ readonly started: number; readonly treeHash: TreeHash }> {
  return await withStoreOnce(actor, 'run.start', { project: projectId }, async ({ store, queue }) => {
    const isNamed = Object.values(target).some((value) => value !== undefined);
    const found = await findSource(store, projectId, isNamed ? target : { draft: mainDraft });
    const project = { ...found.project, treeHash: found.source.treeHash };
    const folder = await readTree(store.prisma, project.treeHash);
    const all = fixtureNames(folder);
    const chosen = names === undefined ? all : [...new Set(names)];
    const unknown = chosen.find((name) => !all.includes(name));
    if (unknown !== undefined) throw new AppError('not_found', `There is no test '${unknown}' in these files.`);
    if (chosen.length > mostAtOnce) {
      throw new AppError('bad_request', `At most ${mostAtOnce} tests start at once. Start some of them by name.`);
    }
    const confirmedHash = await mayStart(store, project);
    const correlationId = brandAs<CorrelationId>(randomUUID());
    for (const name of chosen) {
      const { fixture } = soundFixtureOf(folder, name);
      const run: NewRun = {
        id: brandAs<RunId>(randomUUID()),
        projectId,
        treeHash: project.treeHash,
        correlationId,
        agent: fixture?.agent,
        message: fixture?.message ?? '',
        model: fixture?.model,
        startedBy: actor.by,
        confirmedHash,
        fixture: { name, mode },
      };
      await queue.enqueueRun(run, await admissionOf(store, actor, projectId));
    }
    return { started: chosen.length, treeHash: project.treeHash };
  });
}
