import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type CorrelationId, type RunId, type TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { ProjectEnv } from '@/lib/base/project-env';
import type { Result } from '@/lib/base/result';
import { fillCardVariables } from '@/lib/cards/card-variables';
import type { Folder } from '@/lib/cards/folder';
import type { ModelEnv } from '@/lib/cards/models/endpoint';
import { canonicalModel } from '@/lib/cards/models/name-model';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { ConfigWithSecrets } from '@/lib/cards/secrets';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { createModels } from '@/lib/models/create-models';
import type { UrlPort } from '@/lib/runtime/ports';
import { UnreadableRecord } from '@/lib/runtime/record/event-format';
import type { RunError } from '@/lib/runtime/record/events';
import { type HiddenValues, redactEvents } from '@/lib/runtime/record/redact-events';
import { execute } from '@/lib/runtime/run/execute';
import { type CodeHosts, createCodeHosts } from '@/lib/sandbox/code-hosts';
import type { PythonSetting } from '@/lib/sandbox/python-setting';
import { projectArtifacts } from '@/lib/store/artifacts';
import type { Store } from '@/lib/store/database';
import { createEventWriter } from '@/lib/store/event-writer';
import { readAllEvents } from '@/lib/store/events';
import { hashBlob, hashBlobLater } from '@/lib/store/hash';
import { isOutage } from '@/lib/store/outage';
import { saveRunTrace } from '@/lib/store/run-traces';
import { projectSessions } from '@/lib/store/sessions';
import { handBackRun, isProgress, type TakenRun, takeRun } from '@/lib/store/take-run';
import type { AddressGuard } from '@/lib/tools/mcp/address-guard';
import type { McpPool, McpPort } from '@/lib/tools/mcp/pool';
import { createShell, type Shell } from '@/lib/tools/shell/shell';
import { costOf } from '@/lib/trace/cost';
import { emptyTrace, foldEvent } from '@/lib/trace/fold';
import { slimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';
import { endRun } from './end-run';
import type { LastChance, LastChances } from './last-chances';
import { refuseUnconfirmed } from './refuse-unconfirmed';
import type { ReadTree } from './remember-trees';
import type { WorkFolder, WorkFolders } from './work-folders';

export interface RunContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Name of this worker. */
  readonly worker: string;
  readonly modelEnv: ModelEnv;
  /** Looks at the addresses of models that folders name. */
  readonly guard: AddressGuard;
  /** Values of the worker's settings that no run shows. */
  readonly projectEnv: ProjectEnv;
  readonly hidden: HiddenValues;
  readonly mcp: McpPool;
  readonly urls: UrlPort;
  readonly python: PythonSetting;
  /** What commands may see of the environment; undefined: no agent runs any. */
  readonly shellEnv: Readonly<Record<string, string | undefined>> | undefined;
  readonly folders: WorkFolders;
  readonly lastChances: LastChances;
  readonly readTree: ReadTree;
  readonly readForRun: ReadForRun;
  /** Runs of this worker at this moment; aborting one's signal stops it. */
  readonly active: Map<RunId, ActiveRun>;
}

/**
 * Reads the cards, the config with its secrets and the settings of a tree, and lists what it would start or call. It does so
 * away from this thread and in limited time; the Issue says which limit was met. May throw AppError `unavailable`.
 */
export type ReadForRun = (treeHash: TreeHash, folder: Folder) => Promise<Result<RunReading, Issue>>;

export type RunReading = ConfigWithSecrets & {
  readonly parsed: ParsedFolder;
  readonly capabilities: CapabilityList;
};

export interface ActiveRun {
  readonly stop: AbortController;
  /** Writes what there is, gives the run up for another worker to continue, and drops what comes after. */
  handBack(): Promise<void>;
}

/** A workflow that returns counts as done; one that is handed back must stay pending until the process is gone. */
const never = new Promise<never>(() => undefined);

/** Between two looks whether an outage is over. */
const retryMs = 500;

/** Attempts in a row that end with the worker's death, or its main thread blocked, and record nothing new. */
const maxAttempts = 3;

/**
 * Executes one run, or the rest of it, to its end. Resolves when the run has ended or another worker has it; rejects only
 * for a bug. A database that stays away for long, or a full disk, makes it begin again from the log once that is over.
 */
export async function runToItsEnd(context: RunContext, runId: RunId): Promise<void> {
  const log = context.log.child({ run_id: runId });
  let chance: LastChance | undefined;
  for (;;) {
    const taken = await patiently(context.clock, () => takeRun(context.store, runId, context.worker));
    if (taken === undefined) return chance?.end();
    if (taken.attempts === maxAttempts && chance === undefined) {
      await patiently(context.clock, () => handBackRun(context.store, runId, taken.epoch));
      chance = await context.lastChances.enter();
      continue;
    }
    // A run that got through does not lose the attempt when the worker dies later, of another run.
    chance?.begin(() => void handBackRun(context.store, runId, taken.epoch).catch(() => undefined));
    const result = await attempt(context, taken, log, chance).finally(() => chance?.end());
    log.info({ correlation_id: taken.request.correlationId, result }, 'run left this worker');
    if (result !== 'interrupted') return;
    // The database went away or a disk is full, the worker lives: that is no attempt.
    await patiently(context.clock, () => handBackRun(context.store, runId, taken.epoch));
    await context.clock.sleep(retryMs);
  }
}

async function attempt(
  context: RunContext,
  taken: TakenRun,
  log: Logger,
  chance: LastChance | undefined,
): Promise<'ended' | 'taken over' | 'interrupted'> {
  const { store, clock } = context;
  if (taken.attempts > maxAttempts) {
    await endRun(store, clock, taken, { status: 'failed', error: giveUp(taken) });
    return 'ended';
  }
  const { request, epoch, lastSeq, lastAt } = taken;
  log.info({ correlation_id: request.correlationId, attempt: taken.attempts, last_seq: lastSeq }, 'run taken');
  const stop = new AbortController();
  let lost: 'taken over' | 'interrupted' | undefined;
  // Folded as it goes: at the end the timeline is there, and nobody has to read all events again.
  const trace = emptyTrace();
  const writer = createEventWriter(store, request.runId, {
    startSeq: lastSeq,
    startAt: lastAt,
    epoch,
    clock,
    onEvent(event) {
      foldEvent(trace, slimEvent(event));
      if (chance !== undefined && isProgress(event.kind)) chance.end();
    },
    onLost(reason, error) {
      lost = reason === 'taken_over' ? 'taken over' : 'interrupted';
      log.warn({ err: error, reason }, 'run can no longer be recorded here');
      stop.abort();
    },
  });
  let handedBack = false;
  let code: CodeHosts | undefined;
  let shell: Shell | undefined;
  let mcp: McpPort | undefined;
  let copy: WorkFolder | undefined;
  context.active.set(request.runId, {
    stop,
    async handBack() {
      handedBack = true;
      await writer.flush();
      writer.close();
      await handBackRun(store, request.runId, epoch);
      await Promise.all([code?.close(), mcp?.close(), shell?.close()]);
    },
  });
  if (taken.cancelRequested) stop.abort();
  try {
    const folder = await context.readTree(taken.treeHash);
    const reading = await context.readForRun(taken.treeHash, folder);
    if (!reading.ok) {
      writer.close();
      await endRun(store, clock, taken, { status: 'failed', error: tooComplex(reading.error) });
      return 'ended';
    }
    const { parsed, config, secrets, problem } = reading.value;
    const refusal = refuseUnconfirmed(taken, reading.value.capabilities);
    if (refusal !== undefined) {
      writer.close();
      await endRun(store, clock, taken, { status: 'failed', error: refusal });
      return 'ended';
    }
    copy = await context.folders.materialise(taken.treeHash, folder);
    const root = copy.path;
    if (problem !== undefined) log.warn(problem);
    mcp = context.mcp.port({ config, root, secrets, sampling: parsed.settings.mcp.sampling === 'allow' });
    code = createCodeHosts({ folder, python: context.python });
    shell = context.shellEnv && createShell({ folder: root, env: context.shellEnv });
    const recorded = lastSeq === 0 ? [] : await readAllEvents(store, request.runId);
    for (const event of recorded) foldEvent(trace, slimEvent(event));
    await execute({
      folder,
      parsed: fillCardVariables(folder, parsed, context.projectEnv),
      request,
      ports: {
        model: createModels({
          env: context.modelEnv,
          providers: config.providers,
          settings: parsed.settings,
          clock,
          guard: context.guard,
        }),
        tools: { mcp, function: code.tools },
        hooks: code.hooks,
        shell,
        costOf: (usage, model) => costOf(usage, canonicalModel(model)),
        urls: context.urls,
        sessions: projectSessions(store, request.runId),
        artifacts: projectArtifacts(store, request.runId),
        events: redactEvents(writer, { ...context.hidden, inLogs: [...context.hidden.inLogs, ...secrets] }),
        clock,
        hash: { now: hashBlob, later: hashBlobLater },
        newCorrelationId: () => brandAs<CorrelationId>(randomUUID()),
      },
      log: recorded,
      signal: stop.signal,
      worker: context.worker,
    });
    await writer.flush();
    if (handedBack) await never;
    if (lost === undefined && trace.run.status !== undefined) await keepTrace(context, request.runId, trace, log);
    return lost ?? 'ended';
  } catch (error) {
    if (handedBack) await never;
    if (lost !== undefined) return lost;
    if (isOutage(error)) return 'interrupted';
    if (error instanceof UnreadableRecord) {
      writer.close();
      await endRun(store, clock, taken, {
        status: 'failed',
        error: { code: 'record_unreadable', message: error.message },
      });
      return 'ended';
    }
    log.error({ err: error }, 'run failed for a bug');
    await writer.flush();
    writer.close();
    await endFailed(context, request.runId);
    return 'ended';
  } finally {
    context.active.delete(request.runId);
    await Promise.all([code?.close(), mcp?.close(), shell?.close()]);
    copy?.release();
  }
}

function giveUp({ freezes }: TakenRun): RunError {
  const where = 'The log of the workers says where it was.';
  if (freezes < maxAttempts) {
    const message = `The worker died ${maxAttempts} times in a row at the same place. ${where}`;
    return { code: 'worker_crashed', message };
  }
  const message = `The run froze its worker ${maxAttempts} times in a row at the same place, for example by a pattern or a result that takes too long to read. ${where}`;
  return { code: 'worker_frozen', message };
}

function tooComplex({ file, line, message }: Issue): RunError {
  return { code: 'too_complex', message: `${file}:${line}: ${message}` };
}

/** Without it the first reader folds the events, and keeps the trace then. */
async function keepTrace({ store }: RunContext, runId: RunId, trace: Trace, log: Logger): Promise<void> {
  try {
    await saveRunTrace(store, runId, trace);
  } catch (error) {
    log.warn({ err: error }, 'the timeline of the run could not be kept');
  }
}

/** Ends a run that cannot be executed for a reason of ours. */
export async function endFailed(context: RunContext, runId: RunId): Promise<void> {
  const { store, clock } = context;
  const taken = await patiently(clock, () => takeRun(store, runId, context.worker));
  if (taken === undefined) return;
  const message = 'Callboard met a fault of its own while it executed this run. The log of the workers says more.';
  await endRun(store, clock, taken, { status: 'failed', error: { code: 'internal', message } });
}

async function patiently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await clock.sleep(retryMs);
    }
  }
}
