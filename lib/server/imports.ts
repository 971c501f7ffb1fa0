import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { scopeFor } from '@/lib/base/rights';
import type { Folder } from '@/lib/cards/folder';
import { type RunsOfFiles, runsOfFiles } from '@/lib/interop/files/runs-of-files';
import { NotOtlp, type ReceivedSpan, type ReceivedSpans } from '@/lib/interop/otlp/received-span';
import { importedRunId, runOfSpans } from '@/lib/interop/run-of-spans';
import { UnreadableRecord } from '@/lib/runtime/record/event-format';
import type { Store } from '@/lib/store/database';
import { addSpans, findUnsettledRuns, mostSpansOfRun, putImportedRun, settleRun } from '@/lib/store/imported-runs';
import { findProject, insertProject } from '@/lib/store/projects';
import { readSetting, writeSetting } from '@/lib/store/settings';
import { authorize } from './authorize';
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
 * Stores received spans. Each trace is a run of the project, which by default is one named "Imported runs". Resolves when the
 * spans are stored; the events of their runs follow within a second. Nothing is executed. Throws AppError `not_found`.
 */
export async function receiveSpans(
  actor: Actor,
  received: ReceivedSpans,
  project: string | undefined,
): Promise<Receipt> {
  let { rejected, problem } = received;
  if (received.spans.length === 0) return { rejected, problem };
  await systemStore(async (store) => {
    const { id: projectId, treeHash } = await projectFor(store, { actor, named: project });
    for (const [traceId, spans] of byTrace(received.spans)) {
      const id = importedRunId(projectId, traceId);
      const rows = spans.map((span) => ({ spanId: span.spanId, body: JSON.stringify(span) }));
      const stored = await addSpans(store, { id, projectId, treeHash, source: 'opentelemetry' }, rows);
      settler().want(id);
      if (stored === rows.length) continue;
      rejected += rows.length - stored;
      problem ??= `Trace ${traceId} has more than ${mostSpansOfRun.toLocaleString('en-US')} spans. The others are not kept.`;
    }
  });
  return { rejected, problem };
}

/**
 * Stores the runs of files: session folders of fast-agent, ATIF, OTLP/JSON, event logs. A run that was imported before is
 * replaced. Throws AppError `bad_request` for files without a run or with a damaged one, and `not_found` for the project.
 */
export async function importFiles(actor: Actor, folder: Folder, project: string | undefined) {
  const { runs, spans, ignored } = readFiles(folder);
  if (runs.length === 0 && spans.length === 0) throw new AppError('bad_request', noRuns);
  return await systemStore(async (store) => {
    const { id: projectId, treeHash } = await projectFor(store, { actor, named: project });
    const ids = new Set<RunId>();
    for (const { key, make } of runs) {
      const id = importedRunId(projectId, key);
      const run = make(id);
      const odd = run.events.find(({ at }) => !isDate(at));
      if (odd !== undefined)
        throw new AppError('bad_request', `The time ${odd.at} in a file is no date. Correct it, and import again.`);
      await putImportedRun(store, { id, projectId, treeHash, source: run.source }, run);
      ids.add(id);
    }
    for (const [traceId, trace] of byTrace(spans)) {
      const id = importedRunId(projectId, traceId);
      const rows = trace.map((span) => ({ spanId: span.spanId, body: JSON.stringify(span) }));
      await addSpans(store, { id, projectId, treeHash, source: 'opentelemetry' }, rows);
      await settle(id);
      ids.add(id);
    }
    for (const id of ids) traceCache().forget(id);
    return { runs: [...ids], ignored };
  });
}

/** Dates from 1970 to the last that JavaScript knows, all of which Postgres can hold. */
function isDate(at: number): boolean {
  return at >= 0 && at <= 8.64e15;
}

const noRuns =
  'No run was found. Import a session folder of fast-agent (session.json with its histories), an ATIF trajectory, OTLP in JSON, or an event log of Callboard.';

function readFiles(folder: Folder): RunsOfFiles {
  const texts = [...folder].flatMap(([path, file]) => (file.kind === 'text' ? [[path, file.text] as const] : []));
  try {
    return runsOfFiles(new Map(texts), Date.now());
  } catch (error) {
    if (error instanceof NotOtlp || error instanceof UnreadableRecord) throw new AppError('bad_request', error.message);
    throw error;
  }
}

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

/** A span that is sent twice in one request counts once: the last one. */
function byTrace(spans: readonly ReceivedSpan[]): ReadonlyMap<string, readonly ReceivedSpan[]> {
  const traces = new Map<string, Map<string, ReceivedSpan>>();
  for (const span of spans) {
    const trace = traces.get(span.traceId) ?? new Map<string, ReceivedSpan>();
    trace.set(span.spanId, span);
    traces.set(span.traceId, trace);
  }
  return new Map([...traces].map(([traceId, trace]) => [traceId, [...trace.values()]]));
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

async function findTarget(store: Store, { actor, named }: NamedProject) {
  const { reach } = actor;
  const asked = named ?? (reach !== 'all' && reach.kind === 'person' ? reach.token?.project : undefined);
  if (asked !== undefined) {
    const project = brandAs<ProjectId>(asked);
    await authorize(store, actor, 'run.import', { project });
    return await findProject(store, project);
  }
  const common = await commonProject(store);
  if (scopeFor(reach, 'run.import') === 'all') return common;
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

async function settle(runId: RunId): Promise<void> {
  await systemStore(async (store) => {
    await settleRun(store, runId, (bodies) => {
      const spans = bodies.map((body): ReceivedSpan => JSON.parse(body));
      return runOfSpans(runId, spans);
    });
    traceCache().forget(runId);
  });
}

/** The settler is kept on `globalThis`, because Next evaluates modules more than once, and there must be one per process. */
const holder: { callboardSettler?: Settler } = globalThis as never;

function settler(): Settler {
  holder.callboardSettler ??= new Settler(settle);
  return holder.callboardSettler;
}
