import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type CorrelationId, type EpochMs, type ProjectId, type RunId } from '@/lib/base/ids';
import { importedRunId } from '@/lib/base/imported-run-id';
import { scopeFor } from '@/lib/base/rights';
import type { Folder } from '@/lib/cards/folder';
import { noUsage } from '@/lib/runtime/record/messages';
import type { Store } from '@/lib/store/database';
import { encodeRun, type ImportedRun } from '@/lib/store/imported-run-rows';
import {
  addSpans,
  findUnsettledRuns,
  mostSpansOfRun,
  putImportedRun,
  readUnsettledRun,
  settleRun,
} from '@/lib/store/imported-runs';
import { findProject, insertProject } from '@/lib/store/projects';
import { isAnyBinned } from '@/lib/store/run-bin';
import { saveGivenScores } from '@/lib/store/scores';
import { readSetting, writeSetting } from '@/lib/store/settings';
import { authorize } from './authorize';
import type { OtlpBody, ReadOtlp, RunOfSpans } from './importing/import-jobs';
import { importReader } from './importing/import-reader';
import { type Asker, currentAsker } from './reading/asker';
import { refuseMore } from './run-limits';
import { services, systemStore } from './services';
import { Settler } from './settler';
import { traceCache } from './trace-cache';

/** What of a request was not stored, for OTLP's partial success. */
export interface Receipt {
  readonly rejected: number;
  readonly problem: string | undefined;
}

/**
 * Stores the spans of a request of an exporter. Each trace is a run of the project, which by default is one named "Imported runs".
 * Resolves when the spans are stored; the events of their runs follow within a second. Nothing is executed. Throws AppError
 * `not_found`, and those of `ImportReader`.
 */
export async function receiveSpans(actor: Actor, body: OtlpBody, project: string | undefined): Promise<Receipt> {
  const read = await importReader().otlp(body);
  const { rejected, problem } = read;
  return read.traces.length === 0 ? { rejected, problem } : await storeTraces(actor, read, project);
}

/**
 * Stores the log records of a request that belong to traces, before or after the spans of their traces. The others are left out. Resolves
 * and throws as `receiveSpans` does.
 */
export async function receiveLogs(actor: Actor, body: OtlpBody, project: string | undefined): Promise<Receipt> {
  return await storeTraces(actor, await importReader().logs(body), project);
}

/** Checks that the actor may send metrics, which are not kept. Throws as `receiveSpans` does. */
export async function receiveMetrics(actor: Actor, project: string | undefined): Promise<Receipt> {
  return await storeTraces(actor, { traces: [], rejected: 0, problem: undefined }, project);
}

async function storeTraces(actor: Actor, read: ReadOtlp, project: string | undefined): Promise<Receipt> {
  const { traces, ...received } = read;
  let { rejected, problem } = received;
  await systemStore(async (store) => {
    if (traces.length === 0) {
      await askedProject(store, { actor, named: project });
      return;
    }
    const { id: projectId, treeHash } = await projectFor(store, { actor, named: project });
    for (const { traceId, spans } of traces) {
      const id = importedRunId(projectId, traceId);
      const count = spans.reduce((sum, rows) => sum + rows.count, 0);
      const stored = await addSpans(store, { id, projectId, treeHash, source: 'opentelemetry' }, spans);
      settler().want(id);
      if (stored === count) continue;
      rejected += count - stored;
      problem ??= `Trace ${traceId} has more than ${mostSpansOfRun.toLocaleString('en-US')} spans. The others are not kept.`;
    }
  });
  return { rejected, problem };
}

/**
 * Stores the runs of files: session folders of fast-agent, ATIF, OTLP/JSON, event logs. A run that was imported before is
 * replaced. Throws AppError `bad_request` for files without a run or with a damaged one, `not_found` for the project, `conflict` for a run in
 * the bin, where nobody would see it, and those of `ImportReader`.
 */
export async function importFiles(actor: Actor, folder: Folder, project: string | undefined) {
  const { id: projectId, treeHash } = await systemStore((store) => projectFor(store, { actor, named: project }));
  const files = [...folder].flatMap(([path, file]) => (file.kind === 'text' ? [[path, file.text] as const] : []));
  const { runs, traces, ignored, notes } = await importReader().files({ files, projectId, now: Date.now() });
  if (runs.length === 0 && traces.length === 0) throw new AppError('bad_request', noRuns);
  return await systemStore(async (store) => {
    const known = [...runs.map(({ id }) => id), ...traces.map(({ traceId }) => importedRunId(projectId, traceId))];
    if (await isAnyBinned(store, known)) throw new AppError('conflict', inBin);
    const ids = new Set<RunId>();
    for (const { id, run } of runs) {
      await putImportedRun(store, { id, projectId, treeHash, source: run.source }, run);
      ids.add(id);
    }
    for (const { traceId, spans } of traces) {
      const id = importedRunId(projectId, traceId);
      await addSpans(store, { id, projectId, treeHash, source: 'opentelemetry' }, spans);
      await settle(id, currentAsker());
      ids.add(id);
    }
    for (const id of ids) traceCache().forget(id);
    return { runs: [...ids], ignored, notes };
  });
}

const noRuns =
  'No run was found. Import a session folder of fast-agent (session.json with its histories), an ATIF trajectory, OTLP in JSON, a trace of Jaeger, Tempo or Zipkin, or an event log of Callboard.';

const inBin =
  'A run of these files was imported before and is in the bin. Restore it there, or delete it there now and import again.';

/** Requests, once per process, the events of runs whose spans arrived just before the last stop. A list of runs calls it. */
export function settleRestOnce(): void {
  if (holder.callboardSettler !== undefined) return;
  settler();
  const find = async () => {
    const { store } = await services();
    for (const id of await findUnsettledRuns(store)) settler().want(id);
  };
  // If the database is not there, the next spans of a run settle it.
  find().catch(() => undefined);
}

const importedProjectKey = 'imported-runs-project';

interface NamedProject {
  readonly actor: Actor;
  readonly named: string | undefined;
}

/**
 * Finds the project that runs are imported into. Throws as `authorize` does, `bad_request` if the actor has to name one, and `too_large`
 * if it holds as much as it may.
 */
async function projectFor(store: Store, asked: NamedProject) {
  const project = await findTarget(store, asked);
  await refuseMore(store, project.id);
  return project;
}

async function findTarget(store: Store, asked: NamedProject) {
  return (await askedProject(store, asked)) ?? (await commonProject(store));
}

/**
 * Returns the project that is asked for; `undefined` for that of runs that name none, which may not be there yet. Throws as `authorize`
 * does, and `bad_request` if the actor has to name one.
 */
async function askedProject(store: Store, { actor, named }: NamedProject) {
  const { reach } = actor;
  const asked = named ?? (reach !== 'all' && reach.kind === 'person' ? reach.token?.project : undefined);
  if (asked !== undefined) {
    const project = brandAs<ProjectId>(asked);
    await authorize(store, actor, 'run.import', { project });
    return await findProject(store, project);
  }
  if (scopeFor(reach, 'run.import') === 'all') return undefined;
  throw new AppError('bad_request', 'Name the project for the runs: the header Callboard-Project has its id.');
}

/** The project for runs that name none. */
async function commonProject(store: Store) {
  const known = await readSetting(store, importedProjectKey);
  if (known !== undefined) {
    try {
      return await findProject(store, brandAs<ProjectId>(known));
    } catch (error) {
      // The project was deleted. Another one is made.
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    }
  }
  making ??= makeProject(store).finally(() => {
    making = undefined;
  });
  return await findProject(store, await making);
}

/** Requests that arrive together make one project. */
let making: Promise<ProjectId> | undefined;

async function makeProject(store: Store): Promise<ProjectId> {
  const id = await insertProject(store, 'Imported runs', new Map(), { origin: 'import' });
  await writeSetting(store.pool, importedProjectKey, id);
  return id;
}

/** Makes the events of a run from its spans. Spans that arrive meanwhile are left to the settler. */
async function settle(runId: RunId, asker?: Asker): Promise<void> {
  await systemStore(async (store) => {
    const found = await readUnsettledRun(store, runId);
    if (found === undefined) return;
    const { run, evaluations } = await runOf(runId, found.pages, asker);
    const isSettled = await settleRun(store, runId, found.version, run);
    traceCache().forget(runId);
    if (!isSettled) settler().want(runId);
    await saveGivenScores(store, runId, evaluations);
  });
}

/** A trace that is too large is a run that says so. */
async function runOf(
  runId: RunId,
  pages: readonly Uint8Array[] | undefined,
  asker: Asker | undefined,
): Promise<RunOfSpans> {
  if (pages === undefined) {
    const why = 'The spans of this trace have more than 256 MiB. Record it as several traces.';
    return { run: encodeRun(refusedRun(runId, why)), evaluations: [] };
  }
  try {
    return await importReader().run({ runId, pages }, asker);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_large') throw error;
    return { run: encodeRun(refusedRun(runId, error.message)), evaluations: [] };
  }
}

function refusedRun(runId: RunId, message: string): ImportedRun {
  const correlationId = brandAs<CorrelationId>(runId);
  const at = brandAs<EpochMs>(Date.now());
  const error = { code: 'too_large', message };
  return {
    source: 'opentelemetry',
    correlationId,
    events: [
      { seq: 1, at, kind: 'run.started', runId, correlationId, entryAgent: 'trace', message: '', scripted: false },
      { seq: 2, at, kind: 'run.finished', status: 'failed', error, usage: noUsage },
    ],
  };
}

/** The settler is kept on `globalThis`, because Next evaluates modules more than once, and there must be one per process. */
const holder: { callboardSettler?: Settler } = globalThis as never;

function settler(): Settler {
  holder.callboardSettler ??= new Settler((runId) => settle(runId));
  return holder.callboardSettler;
}
