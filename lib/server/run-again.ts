import type { Actor } from '@/lib/base/actor';
import type { AgainFiles, AgainRequest } from '@/lib/base/again';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import { readInstanceRecord } from '@/lib/runtime/record/instance-record';
import { recordBefore } from '@/lib/runtime/record/record-before';
import { countAnswers } from '@/lib/runtime/record/take-record';
import { matchingRecord, mismatchWords } from '@/lib/runtime/request/match-record';
import { cardsByName } from '@/lib/runtime/request/validate';
import type { Store } from '@/lib/store/database';
import { findInstanceStart, readAllEvents } from '@/lib/store/events';
import { noRun } from '@/lib/store/not-found';
import { findProject } from '@/lib/store/projects';
import { findRun, findTreeOfRun, type RunDetail } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';
import { ownSource } from '@/lib/trace/run-source';
import { isActive } from '@/lib/trace/run-state';
import { oneAtATime } from './one-at-a-time';
import { webReader } from './reading/web-reader';
import { draftLike } from './run-target';
import { withStore } from './services';

/**
 * Finds the run that a new one is made from, with its whole texts. Throws AppError `not_found`, also for a run of another project;
 * `bad_request` when it was recorded elsewhere; and `conflict` when its record is wanted while it still runs.
 */
export async function findOldRun(store: Store, projectId: ProjectId, again: AgainRequest): Promise<RunDetail> {
  const old = await findRun(store, brandAs<RunId>(again.run));
  // Whether another project has it is not for this actor to know.
  if (old.projectId !== projectId) throw noRun();
  if (old.source !== ownSource) {
    throw new AppError('bad_request', 'The run was recorded elsewhere, so Callboard has nothing to run again.');
  }
  if (old.conversationId !== undefined && old.status === 'queued') {
    throw new AppError(
      'conflict',
      'The run has not begun, so it is not known what was said before. Wait until it begins.',
    );
  }
  if (again.kind !== 'again' && isActive(old.status)) {
    throw new AppError(
      'conflict',
      'The run is still active. Stop it or wait for its end, then run it again from here.',
    );
  }
  return old;
}

/** Finds the instance that a new run is, with the text that lists show. Throws AppError `not_found`. */
export async function findOldInstance(
  store: Store,
  again: Extract<AgainRequest, { kind: 'instance' }>,
): Promise<{ readonly agentName: string; readonly message: string }> {
  const found = await findInstanceStart(store, brandAs<RunId>(again.run), again.path);
  if (found?.input === undefined) {
    throw new AppError('not_found', `The run has no instance '${again.path}', or it did not start.`);
  }
  const message = again.arguments === undefined ? found.input : JSON.stringify(again.arguments);
  return { agentName: found.agentName, message };
}

/** What a person needs in order to run one instance again. */
export interface InstancePreview {
  readonly agentName: string;
  /** The arguments that it was called with; `undefined` for the instance with which the run began. */
  readonly arguments: Json | undefined;
  /** The input that it got. */
  readonly input: string;
  /** The tools that it and the instances below it called, by the names that the models saw. */
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
  /** Why it cannot run with the chosen files. */
  readonly problem?: string;
}

/** Describes an instance of a run, and whether it can run with the chosen files. Throws AppError `not_found`. */
export async function previewInstance(
  actor: Actor,
  runId: RunId,
  path: string,
  files: AgainFiles,
): Promise<InstancePreview> {
  return await withStore(actor, 'project.read', { run: runId }, async (store) => {
    const treeHash = await treeFor(store, runId, files);
    const record = readInstanceRecord(await oneAtATime(() => readAllEvents(store, runId)), path);
    if (record === undefined)
      throw new AppError('not_found', `The run has no instance '${path}', or it did not start.`);
    const calls = new Map<string, number>();
    for (const { tool } of record.calls) calls.set(tool, (calls.get(tool) ?? 0) + 1);
    return {
      agentName: record.agentName,
      arguments: record.caller?.arguments,
      input: record.started.input,
      tools: [...calls].map(([name, count]) => ({ name, calls: count })),
      ...problemOf(record.agentName, await readFiles(store, treeHash)),
    };
  });
}

function problemOf(agentName: string, files: ReadFiles): { readonly problem?: string } {
  if (!files.ok) return { problem: files.error.message };
  if (cardsByName(files.value.parsed).has(agentName)) return {};
  return { problem: `Agent '${agentName}' is not in these files.` };
}

/** How many calls a run from a step answers from the record, and how many the old run made in all. */
export interface RecordPreview {
  readonly kept: { readonly modelCalls: number; readonly toolCalls: number };
  readonly all: { readonly modelCalls: number; readonly toolCalls: number };
  /** Why the record ends before the step, or why no run can begin with the chosen files. */
  readonly mismatch?: string;
}

/** Tells what a run from event `at` with the chosen files would take from the record. Throws AppError `not_found`. */
export async function previewRecord(actor: Actor, runId: RunId, at: number, files: AgainFiles): Promise<RecordPreview> {
  return await withStore(actor, 'project.read', { run: runId }, async (store) => {
    const [before, now] = [await findTreeOfRun(store, runId), await treeFor(store, runId, files)];
    const log = await oneAtATime(() => readAllEvents(store, runId));
    if (at > log.length) throw new AppError('not_found', `The run has no event ${at}.`);
    const all = countAnswers(log);
    if (before === now) return { kept: countAnswers(recordBefore(log, at)), all };
    const [old, current] = [await readFiles(store, before), await readFiles(store, now)];
    if (!current.ok) return { kept: countAnswers([]), all, mismatch: current.error.message };
    // The worker too takes the whole record if the old files cannot be read any more.
    if (!old.ok) return { kept: countAnswers(recordBefore(log, at)), all };
    const { kept, mismatch } = matchingRecord(log, at, { before: old.value.parsed, now: current.value.parsed });
    return { kept: countAnswers(kept), all, ...(mismatch && { mismatch: mismatchWords(mismatch) }) };
  });
}

type ReadFiles = Awaited<ReturnType<typeof readFiles>>;

async function readFiles(store: Store, treeHash: TreeHash) {
  return await webReader().readForRun(await readTree(store.prisma, treeHash));
}

/** Returns the files that a new run would have. Throws AppError `not_found`. */
async function treeFor(store: Store, runId: RunId, files: AgainFiles): Promise<TreeHash> {
  if (files === 'recorded') return await findTreeOfRun(store, runId);
  const old = await findRun(store, runId, 0);
  return (await findProject(store, old.projectId, (await draftLike(store, old)).draft)).treeHash;
}
