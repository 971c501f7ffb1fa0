import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import type { AgainRequest } from '@/lib/base/again';
import { AppError } from '@/lib/base/app-error';
import type { MessageFile } from '@/lib/base/conversation';
import { brandAs, type CorrelationId, type ProjectId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { LeftOut } from '@/lib/base/left-out';
import type { Action } from '@/lib/base/rights';
import { marksOf, type RunMarks } from '@/lib/base/run-marks';
import type { Folder } from '@/lib/cards/folder';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { Store } from '@/lib/store/database';
import { mapEventsBySeq, readCallEvents, readEvent, readEvents, sizeOfEvents } from '@/lib/store/events';
import { readRunVersion } from '@/lib/store/imported-runs';
import { findRunPage, type RunFilter, type RunGroup } from '@/lib/store/run-pages';
import { readRunTrace as readStoredTrace, saveRunTrace } from '@/lib/store/run-traces';
import { findFilesOfRun, findLastRun, findRun, findTreeOfRun, type NewRun, type RunDetail } from '@/lib/store/runs';
import { type FoundEvents, type SearchRange, searchEvents } from '@/lib/store/search-events';
import { readTree } from '@/lib/store/trees';
import { encodeTrace } from '@/lib/trace/columns';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { FrameworkFold } from '@/lib/trace/framework-fold';
import { OtlpTrace } from '@/lib/trace/otel';
import type { OtlpJson } from '@/lib/trace/otlp-json';
import { type RecordedCall, recordedCall } from '@/lib/trace/recorded-call';
import { ownSource } from '@/lib/trace/run-source';
import type { RunState } from '@/lib/trace/run-state';
import type { Trace } from '@/lib/trace/trace';
import { withoutTexts } from '@/lib/trace/without-texts';
import { checkLeftOut } from './check-left-out';
import { checkFiles, findTurn } from './conversations';
import { settleRestOnce } from './imports';
import { oneAtATime } from './one-at-a-time';
import { cursorOf, placeOf } from './page-cursor';
import { findOldInstance, findOldRun } from './run-again';
import { admissionOf } from './run-limits';
import { openRunStream, openStateStream, openVersionStream } from './run-streams';
import { draftLike, findSource, type NamedSource, nameSource, type RunTarget, recordedSource } from './run-target';
import { services, withScope, withStore, withStoreOnce } from './services';
import { eventSeenBy, seenBy, viewOf } from './shared-view';
import { bareTraceCache, traceCache } from './trace-cache';
import { mayStart } from './trust';

export interface RunInput extends RunMarks {
  /** The agent to start with; by default the folder's entry agent. */
  readonly agent?: string | undefined;
  /** Needed unless `again` gives one. */
  readonly message?: string | undefined;
  readonly model?: string | undefined;
  /** Runs with the same id are listed together. By default it is a new id. */
  readonly correlationId?: string | undefined;
  /** The run that this one is made from. What it gives is used where this input says nothing. */
  readonly again?: AgainRequest | undefined;
  /** `new` begins a conversation with the run. An id makes the run the next turn of that conversation. */
  readonly conversationId?: string | undefined;
  /** What it is a run of. By default what is live, and for `again` the draft. */
  readonly target?: RunTarget | undefined;
  /** Files that come with the message. With `again`, those of the old run by default. */
  readonly attachments?: readonly MessageFile[] | undefined;
  /** What it does without although the files have it. With `again`, what the old run did without by default. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

export interface StartedRun extends NamedSource {
  readonly runId: RunId;
  /** The conversation that the run is a turn of. */
  readonly conversationId?: string;
}

const maxMessageChars = 4 * 1024 * 1024;
/** An export has at most this many events in memory at once. */
const otlpPage = 2_000;
/** The traces with texts are in memory as a whole, so a larger run is refused. */
const mostBytesWithTexts = 100_000_000;

/**
 * Queues a run of the project's current files, or of those of the run that it is made from, and returns without waiting for it.
 * Throws AppError `not_found`, `bad_request`, those of `findOldRun` and `findTurn`, `too_many` and `over_budget`, and `not_trusted` when a user first has to
 * confirm what the run would start or call.
 */
export async function startRun(actor: Actor, projectId: ProjectId, input: RunInput): Promise<StartedRun> {
  const { again } = input;
  if (input.message === undefined && again === undefined) throw new AppError('bad_request', 'message: it is missing.');
  if (input.message !== undefined && input.message.length > maxMessageChars) {
    throw new AppError('too_large', 'The message is longer than 4 million characters. Put long material in a file.');
  }
  if (again !== undefined && input.conversationId !== undefined) {
    throw new AppError(
      'bad_request',
      'conversationId: a run that is made from another one continues no conversation. Leave out one of the two.',
    );
  }
  checkFiles(input.attachments);
  const asked = checkLabel('correlation id', input.correlationId);
  const agent = checkLabel('agent', input.agent);
  const model = checkLabel('model', input.model);
  return await withStoreOnce(actor, 'run.start', { project: projectId }, async ({ store, queue }) => {
    // The limits are read while the files are found.
    const admission = admissionOf(store, actor, projectId);
    admission.catch(() => undefined);
    const old = again && (await findOldRun(store, projectId, again));
    const one = again?.kind === 'instance' ? await findOldInstance(store, again) : undefined;
    const target = input.target ?? (old && (await draftLike(store, old))) ?? {};
    const found = await findSource(store, projectId, target);
    const source = old !== undefined && again?.files === 'recorded' ? await recordedSource(store, old) : found.source;
    const { treeHash } = source;
    const project = { ...found.project, treeHash };
    const confirmedHash = await mayStart(store, project);
    const turn =
      input.conversationId === undefined
        ? undefined
        : await findTurn(store, { ...project, id: projectId }, input.conversationId, {
            agent,
            message: input.message ?? '',
          });
    const startAgent = one?.agentName ?? turn?.agent ?? agent ?? old?.entryAgent;
    const leftOut = input.leftOut ?? old?.leftOut ?? [];
    await checkLeftOut(store, { leftOut, treeHash, agent: startAgent, old: again?.kind === 'from' ? old : undefined });
    const admit = await admission;
    const id = brandAs<RunId>(randomUUID());
    const run: NewRun = {
      id,
      projectId,
      treeHash,
      revisionId: source.revision?.id,
      label: source.label,
      draft: source.draft,
      // A run that begins with the record of another one belongs with it in the list of runs.
      correlationId: brandAs<CorrelationId>(
        asked ?? (again?.kind === 'again' ? undefined : old?.correlationId) ?? turn?.id ?? randomUUID(),
      ),
      agent: startAgent,
      message: one?.message ?? input.message ?? old?.message ?? '',
      model: model ?? old?.model,
      startedBy: actor.by,
      confirmedHash,
      again,
      attachments: input.attachments ?? (old && one === undefined ? await findFilesOfRun(store, old.id) : undefined),
      leftOut,
      marks: { ...(old && marksOf(old)), ...marksOf(input) },
    };
    if (turn === undefined) await queue.enqueueRun(run, admit);
    else await queue.enqueueTurn(run, turn, admit);
    const isChosen = Object.values(target).some((one) => one !== undefined) || again?.files === 'recorded';
    return { runId: id, ...(turn && { conversationId: turn.id }), ...nameSource(source, isChosen) };
  });
}

/** Requests a stop. The run ends as `cancelled` within seconds. Does nothing for a run that has ended. */
export async function stopRun(actor: Actor, runId: RunId): Promise<void> {
  await withStoreOnce(actor, 'run.stop', { run: runId }, async ({ store, queue }) => {
    await findTreeOfRun(store, runId);
    await queue.cancelRun(runId);
  });
}

/** Reads a run. `findRun` in lib/store/runs explains `textUnits`. Throws AppError `not_found`. */
export async function getRun(actor: Actor, runId: RunId, textUnits?: number): Promise<RunDetail> {
  return await withStore(actor, 'run.read', { run: runId }, async (store) =>
    seenBy(actor, await findRun(store, runId, textUnits)),
  );
}

/** Returns the tree that the run was started with. Does not read the run's texts. Throws AppError `not_found`. */
export async function getRunTree(actor: Actor, runId: RunId): Promise<TreeHash> {
  return await withStore(actor, 'run.texts', { run: runId }, (store) => findTreeOfRun(store, runId));
}

/** Returns the newest run of the project in any state, with its message unless that is long. */
export async function lastRunOf(
  actor: Actor,
  projectId: ProjectId,
): Promise<{ readonly id: RunId; readonly message: string | undefined } | undefined> {
  return await withStore(actor, 'project.read', { project: projectId }, (store) => findLastRun(store, projectId));
}

/**
 * Returns a page of groups of runs that share a correlation id, newest first (`RunPage` in lib/store/run-pages). `after` is
 * `next` of the page before; any other value is AppError `bad_request`.
 */
export async function listRuns(
  actor: Actor,
  query: Omit<RunFilter, 'after' | 'scope'> & { readonly after: string | undefined },
): Promise<{ readonly groups: readonly RunGroup[]; readonly next: string | null }> {
  const place = query.after === undefined ? undefined : placeOf(query.after);
  const after = place && { createdAt: place.time, id: brandAs<RunId>(place.id) };
  const { groups, next } = await withScope(actor, 'run.read', (store, scope) =>
    findRunPage(store, { ...query, scope, after }),
  );
  settleRestOnce();
  return { groups, next: next === undefined ? null : cursorOf({ time: next.createdAt, id: next.id }) };
}

export async function readRunEvents(
  actor: Actor,
  runId: RunId,
  range: { readonly after: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  const events = await withStore(actor, 'run.texts', { run: runId }, (store) => readEvents(store, runId, range));
  return events.map((event) => eventSeenBy(actor, event));
}

/** Reads one event. Throws AppError `not_found`. */
export async function readRunEvent(actor: Actor, runId: RunId, seq: number): Promise<RunEvent> {
  const event = await withStore(actor, 'run.texts', { run: runId }, (store) =>
    oneAtATime(() => readEvent(store, runId, seq)),
  );
  if (event === undefined) throw new AppError('not_found', `The run has no event ${seq} yet.`);
  return eventSeenBy(actor, event);
}

/** Reads a tool call by the number of its first event. Throws AppError `not_found`. */
export async function readRunCall(actor: Actor, runId: RunId, seq: number): Promise<RecordedCall> {
  const call = recordedCall(
    await withStore(actor, 'run.texts', { run: runId }, (store) => oneAtATime(() => readCallEvents(store, runId, seq))),
  );
  if (call === undefined) throw new AppError('not_found', `Event ${seq} of the run starts no tool call.`);
  return call;
}

/** The events of one response have at most this many bytes. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads events in the requested order. Throws AppError `not_found` when the run lacks one of them, and `too_large` when they
 * are too large for one response.
 */
export async function readRunEventsBySeq(
  actor: Actor,
  runId: RunId,
  seqs: readonly number[],
): Promise<readonly RunEvent[]> {
  const bytes = await withStore(actor, 'run.texts', { run: runId }, (store) => sizeOfEvents(store, runId, seqs));
  if (bytes > mostBytes) {
    const said = `These events have ${Math.ceil(bytes / 1024 / 1024)} MiB together; at most 64 MiB go into one answer.`;
    throw new AppError('too_large', `${said} Ask for fewer at a time, or add view=short.`);
  }
  return await mapRunEvents(actor, runId, seqs, (event) => event);
}

/**
 * Works like `readRunEventsBySeq`, but keeps only the result of `map`, and reads large events a few at a time. Throws
 * AppError `not_found`.
 */
export async function mapRunEvents<T>(
  actor: Actor,
  runId: RunId,
  seqs: readonly number[],
  map: (event: RunEvent) => T,
): Promise<readonly T[]> {
  const found = await withStore(actor, 'run.texts', { run: runId }, (store) =>
    oneAtATime(() => mapEventsBySeq(store, runId, seqs, (event) => map(eventSeenBy(actor, event)))),
  );
  return seqs.map((seq) => {
    if (!found.has(seq)) throw new AppError('not_found', `The run has no event ${seq} yet.`);
    return found.get(seq) as T;
  });
}

async function authorizedRun(actor: Actor, action: Action, id: RunId): Promise<void> {
  await withStore(actor, action, { run: id }, (store) => findTreeOfRun(store, id));
}

/**
 * Streams the events of a run after a `seq` as text of server-sent events. Throws AppError `not_found`, and `too_many`
 * and `unavailable` when too many streams are open.
 */
export async function streamRunEvents(
  actor: Actor,
  run: { readonly id: RunId; readonly after: number; readonly signal: AbortSignal },
  view: 'full' | 'slim',
): Promise<AsyncIterableIterator<string>> {
  await authorizedRun(actor, view === 'full' ? 'run.texts' : 'run.read', run.id);
  const isBare = viewOf(actor) === 'bare';
  return openRunStream(await services(), { ...run, actor }, view === 'slim' && isBare ? 'bare' : view);
}

/**
 * Streams the versions of a run after `after`, as server-sent events. Throws AppError `not_found`, and `too_many` and
 * `unavailable` when too many streams are open.
 */
export async function streamRunVersions(
  actor: Actor,
  run: {
    readonly id: RunId;
    readonly after: number;
    readonly signal: AbortSignal;
  },
): Promise<AsyncIterableIterator<string>> {
  await authorizedRun(actor, 'run.read', run.id);
  return openVersionStream(await services(), { ...run, actor });
}

/** Returns a number that grows whenever the events of a run are replaced. */
export async function getRunVersion(actor: Actor, runId: RunId): Promise<number> {
  return await withStore(actor, 'run.read', { run: runId }, async (store) => (await readRunVersion(store, runId)) ?? 0);
}

/**
 * Yields the state of a run now and whenever it may have changed. Ends after the last state, when the run is deleted, and when
 * the signal aborts. Throws AppError `not_found`, and `too_many` and `unavailable` when too many streams are open.
 */
export async function watchRun(
  actor: Actor,
  runId: RunId,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<RunState>> {
  await authorizedRun(actor, 'run.read', runId);
  return openStateStream(await services(), { actor, id: runId, signal });
}

/**
 * Returns the encoded trace of the run so far. For an ended run, the worker has stored it; otherwise the first reader does. With
 * `allSpans`, the trace of an imported run has the spans of its framework too, unless the actor may not see texts.
 */
export async function readRunTrace(actor: Actor, runId: RunId, { allSpans = false } = {}): Promise<Uint8Array> {
  return await withStore(actor, 'run.read', { run: runId }, async (store) => {
    if (viewOf(actor) === 'bare') return encodeTrace(await bareTrace(store, runId));
    if (allSpans && (await findRun(store, runId, 0)).source !== ownSource)
      return await oneAtATime(async () => encodeTrace(await wholeTrace(store, runId)));
    const stored = await readStoredTrace(store, runId);
    if (stored !== undefined) return stored;
    await findTreeOfRun(store, runId);
    const trace = await traceCache().read(runId, (range) => readEvents(store, runId, range));
    if (trace.run.status === undefined) return encodeTrace(trace);
    const bytes = await saveRunTrace(store, runId, trace);
    traceCache().forget(runId);
    return bytes;
  });
}

/** Returns the trace of an imported run with the spans of its framework, which nothing keeps. */
async function wholeTrace(store: Store, runId: RunId): Promise<Trace> {
  const trace = emptyTrace();
  const fold = new FrameworkFold(trace);
  while (trace.run.status === undefined) {
    const page = await readEvents(store, runId, { after: trace.lastSeq, limit: pageOfEvents });
    if (page.length === 0) break;
    for (const event of page) fold.take(event);
  }
  return trace;
}

const pageOfEvents = 5_000;

/** Returns the trace of a run as a link without texts shows it. It is folded from events without texts. */
async function bareTrace(store: Store, runId: RunId): Promise<Trace> {
  const { correlationId } = await findRun(store, runId, 0);
  const version = (await readRunVersion(store, runId)) ?? 0;
  return await bareTraceCache().read(brandAs<RunId>(`${runId} ${version}`), async (range) =>
    (await readEvents(store, runId, range)).map((event) => withoutTexts(event, correlationId)),
  );
}

/** Searches the texts of a run's events; `searchEvents` says how. Throws AppError `not_found`. */
export async function searchRun(actor: Actor, runId: RunId, text: string, range: SearchRange): Promise<FoundEvents> {
  return await withStore(actor, 'run.texts', { run: runId }, async (store) => {
    if (range.after === 0) await findTreeOfRun(store, runId);
    return await searchEvents(store, runId, text, range, (event) => eventSeenBy(actor, event));
  });
}

/**
 * Returns the events of the run so far as OpenTelemetry traces, with messages, arguments and results if `texts`. Throws AppError
 * `not_found`, and `too_large` for a run that is too large to export with texts.
 */
export async function readRunOtlp(actor: Actor, runId: RunId, texts: boolean): Promise<OtlpJson> {
  await authorizedRun(actor, 'run.texts', runId);
  if (texts) await checkSize(actor, runId);
  const trace = new OtlpTrace({ texts });
  for (let after = 0; ; ) {
    const page = await readRunEvents(actor, runId, { after, limit: otlpPage });
    if (page.length === 0) return trace.toJson();
    for (const event of page) trace.add(event);
    after = page.at(-1)?.seq ?? after;
  }
}

async function checkSize(actor: Actor, runId: RunId): Promise<void> {
  const run = await withStore(actor, 'run.texts', { run: runId }, async ({ prisma }) =>
    prisma.run.findUnique({ where: { id: runId }, select: { bytes: true } }),
  );
  if (run === null || run.bytes <= mostBytesWithTexts) return;
  throw new AppError(
    'too_large',
    `The run has ${Math.ceil(Number(run.bytes) / 1_000_000)} MB of events. OpenTelemetry with messages has 100 MB at most. Export the event log instead, which has all of it.`,
  );
}

/** Returns the folder that the run was started with. */
export async function readRunFolder(actor: Actor, runId: RunId): Promise<Folder> {
  return await withStore(actor, 'run.texts', { run: runId }, async (store) => {
    return await readTree(store.prisma, await findTreeOfRun(store, runId));
  });
}

function checkLabel(what: string, value: string | undefined): string | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  if (value.length > 500 || /[\p{Cc}\p{Surrogate}]/u.test(value)) {
    throw new AppError('bad_request', `The ${what} is too long or holds control characters. Give a short plain name.`);
  }
  return value.trim();
}
