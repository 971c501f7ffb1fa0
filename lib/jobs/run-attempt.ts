import type { Logger } from 'pino';
import type { EpochMs } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import { limitsOfPeople, noLimits } from '@/lib/base/limits';
import { RunLeft } from '@/lib/base/run-left';
import { withoutFixtures } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import type { PolicyRule } from '@/lib/cards/policy/rule';
import { fillCardVariables } from '@/lib/cards/variables/card-variables';
import { modelsWithin } from '@/lib/runtime/policy/models-within';
import type { Ports } from '@/lib/runtime/ports';
import { UnreadableRecord } from '@/lib/runtime/record/event-format';
import type { RunError } from '@/lib/runtime/record/events';
import { execute } from '@/lib/runtime/run/execute';
import { projectArtifacts } from '@/lib/store/artifacts';
import { createEventWriter, type EventWriter } from '@/lib/store/event-writer';
import { readAllEvents } from '@/lib/store/events';
import { type LimitRules, readLimitRules } from '@/lib/store/limit-rules';
import { isOutage } from '@/lib/store/outage';
import { toStoredSummary } from '@/lib/store/run-summaries';
import { saveRunTrace } from '@/lib/store/run-traces';
import { sealedSecretsOf, type UsableSecret } from '@/lib/store/secrets';
import { handBackRun, isProgress, type TakenRun } from '@/lib/store/take-run';
import { noSignIns } from '@/lib/tools/mcp/sign-ins';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { RunTexts, summariseRun } from '@/lib/trace/run-summary';
import { slimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';
import { lineOf } from './conversation-line';
import { endFailed, endRun } from './end-run';
import { openFixture } from './fixture-run';
import type { LastChance } from './last-chances';
import type { RunTextSender } from './live-text-sender';
import { openPeople, type PeopleOfRun } from './people';
import { readRules, refusePolicy } from './refuse-policy';
import { refuseUnapproved } from './refuse-unapproved';
import { refuseUnconfirmed } from './refuse-unconfirmed';
import { resumeAnswered } from './resume-runs';
import { beginningOf } from './run-beginning';
import type { RunContext, RunReading } from './run-context';
import { openRunPorts, type RunPorts } from './run-ports';
import { withSecrets } from './run-secrets';
import { runSessions } from './run-sessions';
import type { RunSpans } from './span-exporter';

/**
 * A run fails after this many attempts in a row that end with a dead worker or a blocked main thread and record no
 * progress.
 */
export const maxAttempts = 3;

/**
 * `ended`: the run has its last event. `suspended`: it waits for people only, and goes on in another stint. `taken over`: another
 * worker has the run. `interrupted`: events could not be written, so the run continues from its log later.
 */
export type AttemptResult = 'ended' | 'suspended' | 'taken over' | 'interrupted';

interface Attempt {
  readonly context: RunContext;
  readonly taken: TakenRun;
  readonly log: Logger;
  readonly stop: AbortController;
  readonly writer: EventWriter;
  /**
   * The trace is updated while the run goes on, so that it is complete when the run ends and nobody reads all events again.
   */
  readonly trace: Trace;
  readonly texts: RunTexts;
  readonly said: RunTextSender;
  readonly spans: RunSpans;
  /** Set when events can no longer be written. */
  lost: 'taken over' | 'interrupted' | undefined;
  isHandedBack: boolean;
  /** The ports of this attempt, once they were opened. */
  readonly opened: Pick<RunPorts, 'leave' | 'abandon' | 'close'>[];
  releaseFolder: (() => void) | undefined;
  people: PeopleOfRun | undefined;
}

/**
 * Never resolves. DBOS marks a workflow that returns as done, but the workflow of a run that is handed back must stay
 * pending until the process ends.
 */
const never = new Promise<never>(() => undefined);

/** Executes the run from where its log ends. Rejects only if the database fails while the end of the run is written. */
export async function attemptRun(
  context: RunContext,
  taken: TakenRun,
  log: Logger,
  chance: LastChance | undefined,
): Promise<AttemptResult> {
  if (taken.attempts > maxAttempts) {
    await endRun(context.store, context.clock, taken, { status: 'failed', error: tooManyAttempts(taken) });
    return 'ended';
  }
  const { request, attempts, lastSeq } = taken;
  log.info({ correlation_id: request.correlationId, attempt: attempts, last_seq: lastSeq }, 'run taken');
  const attempt = openAttempt(context, taken, log, chance);
  try {
    return await executeRun(attempt);
  } catch (error) {
    return await resultOf(attempt, error);
  } finally {
    // A run that was suspended may be here again already, in its next stint.
    if (context.active.get(request.runId)?.stop === attempt.stop) context.active.delete(request.runId);
    attempt.people?.close();
    attempt.said.close();
    await closeOpened(attempt);
    attempt.releaseFolder?.();
  }
}

function openAttempt(context: RunContext, taken: TakenRun, log: Logger, chance: LastChance | undefined): Attempt {
  const { store, clock } = context;
  const { runId } = taken.request;
  const stop = new AbortController();
  const trace = emptyTrace();
  const texts = new RunTexts();
  const said = context.liveTexts.open(runId, taken.epoch);
  const spans = context.spans.open();
  const writer = createEventWriter(store, runId, {
    startSeq: taken.lastSeq,
    startAt: taken.lastAt,
    epoch: taken.epoch,
    clock,
    onEvent(event) {
      foldEvent(trace, slimEvent(event));
      texts.add(event);
      said.note(event);
      spans.add(event);
      if (chance !== undefined && isProgress(event.kind)) chance.end();
    },
    onDelta: (delta) => said.add(delta),
    line: lineOf(taken),
    isTest: taken.fixture !== undefined,
    summary: () => toStoredSummary(summariseRun(trace), texts),
    onLost(reason, error) {
      attempt.lost = reason === 'taken_over' ? 'taken over' : 'interrupted';
      log.warn({ err: error, reason }, 'events of the run can no longer be written here');
      for (const each of attempt.opened) each.leave();
      stop.abort(new RunLeft());
    },
  });
  const attempt: Attempt = {
    context,
    taken,
    log,
    stop,
    writer,
    trace,
    texts,
    said,
    spans,
    lost: undefined,
    isHandedBack: false,
    opened: [],
    releaseFolder: undefined,
    people: undefined,
  };
  context.active.set(runId, { stop, handBack: () => handBack(attempt) });
  if (taken.cancelRequested) stop.abort();
  return attempt;
}

async function handBack(attempt: Attempt): Promise<void> {
  const { context, taken, writer } = attempt;
  attempt.isHandedBack = true;
  await writer.flush();
  writer.close();
  await handBackRun(context.store, taken.request.runId, taken.epoch);
  await closeOpened(attempt);
}

async function closeOpened({ opened }: Attempt): Promise<void> {
  await Promise.all(opened.map((each) => each.close()));
}

async function executeRun(attempt: Attempt): Promise<AttemptResult> {
  const { context, taken, trace, texts, writer } = attempt;
  const { request } = taken;
  // The rules are read while the folder is.
  const rules = readRules(context.store, taken.projectId);
  rules.catch(() => undefined);
  const limitsReadAt = context.clock.now();
  const limits = readLimitRules(context.store.pool, taken.projectId, context.accounts ? limitsOfPeople : noLimits);
  limits.catch(() => undefined);
  const folder = await context.readTree(taken.treeHash);
  const reading = await context.readForRun(taken.treeHash, folder);
  if (!reading.ok) return await endWith(attempt, tooComplex(reading.error));
  const { parsed, capabilities } = reading.value;
  const { policy, listings } = await rules;
  const sealed = taken.hasSecrets ? await sealedSecretsOf(context.store, taken.projectId, context) : [];
  const refusal =
    refuseUnconfirmed(taken, capabilities) ??
    refusePolicy(policy, folder, reading.value, listings) ??
    (await refuseUnapproved(context, taken.projectId, capabilities, sealed));
  if (refusal !== undefined) return await endWith(attempt, refusal);

  // The log is read while the ports open.
  const reads = taken.lastSeq === 0 ? Promise.resolve([]) : readAllEvents(context.store, request.runId);
  reads.catch(() => undefined);
  const given = { sealed, limits: await limits, limitsReadAt };
  const ports = withPolicy(await openPorts(attempt, folder, reading.value, given), policy);
  const recorded = await reads;
  for (const event of recorded) {
    foldEvent(trace, slimEvent(event));
    texts.add(event);
    attempt.spans.addRecorded(event);
  }
  const begun = await beginningOf(context, taken, recorded, { folder, parsed }, writer);
  if (!begun.ok) return await endWith(attempt, begun.error);
  const { log, instance, earlier, answers } = begun.value;
  const fixture = openFixture(taken, folder, ports);
  if (!fixture.ok) return await endWith(attempt, fixture.error);
  const filled = fillCardVariables(folder, parsed, context.projectEnv);
  const outcome = await execute({
    folder,
    parsed: filled,
    request: { ...request, ...fixture.value?.request },
    ports: fixture.value?.ports ?? (answers === undefined ? ports : { ...ports, answers }),
    instance,
    earlier,
    log,
    signal: attempt.stop.signal,
    worker: context.worker,
    longestRunMs: (await limits).runs.longestMs ?? undefined,
  });
  await writer.flush();
  if (attempt.isHandedBack) await never;
  if (attempt.lost === undefined && outcome.status === 'suspended') return await suspended(attempt);
  if (attempt.lost === undefined && trace.run.status !== undefined) {
    await saveTrace(attempt);
    const kept = (await attempt.people?.takeKept()) ?? [];
    if (outcome.status !== 'completed') {
      await Promise.all(attempt.opened.map((each) => each.abandon(kept, filled.cards)));
    }
    await fixture.value?.judge(context, reading.value);
  }
  return attempt.lost ?? 'ended';
}

/** An answer that came while the run was being suspended has found it running, and did not resume it. */
async function suspended({ context, log }: Attempt): Promise<'suspended'> {
  await resumeAnswered(context.store).catch((error: unknown) =>
    log.warn({ err: error }, 'answers are looked for later'),
  );
  return 'suspended';
}

function withPolicy(ports: Ports, policy: readonly PolicyRule[]): Ports {
  return policy.length === 0 ? ports : { ...ports, policy, model: modelsWithin(ports.model, policy) };
}

/** Opens what the run needs from outside. `closeOpened` closes it, also when this function throws half-way. */
async function openPorts(
  attempt: Attempt,
  folder: Folder,
  reading: RunReading,
  given: { readonly sealed: readonly UsableSecret[]; readonly limits: LimitRules; readonly limitsReadAt: EpochMs },
): Promise<Ports> {
  const { context, taken, opened } = attempt;
  const { parsed, config, secrets, capabilities } = reading;
  const { store } = context;
  const { runId } = taken.request;
  const { path: root, release } = await context.folders.materialise(taken.treeHash, withoutFixtures(folder));
  attempt.releaseFolder = release;
  const surroundings = await withSecrets(context, taken.projectId, capabilities, given.sealed);
  const projectSignIns = taken.hasSignIns ? await context.signIns.of(taken.projectId) : noSignIns;
  const run = openRunPorts(
    { ...surroundings, projectSignIns },
    {
      folder,
      parsed,
      config,
      secrets,
      root,
      events: attempt.writer,
      sessions: runSessions(context, taken),
      artifacts: projectArtifacts(store, runId),
    },
  );
  opened.push(run);
  attempt.people = await openPeople(context, taken, {
    holdSeconds: parsed.settings.approvals.hold_s,
    stop: attempt.stop,
  });
  const findSpentBudget = context.budgets.of(taken.projectId, attempt.writer, given.limits, given.limitsReadAt);
  return { ...run.ports, people: attempt.people, findSpentBudget };
}

async function resultOf(attempt: Attempt, error: unknown): Promise<AttemptResult> {
  const { context, taken, log, writer } = attempt;
  if (attempt.isHandedBack) await never;
  if (attempt.lost !== undefined) return attempt.lost;
  if (isOutage(error)) return 'interrupted';
  if (error instanceof UnreadableRecord) {
    return await endWith(attempt, { code: 'record_unreadable', message: error.message });
  }
  log.error({ err: error }, 'run failed because of a bug');
  await writer.flush();
  writer.close();
  await endFailed(context, taken.request.runId);
  return 'ended';
}

/** Ends a run of which this attempt has executed nothing. */
async function endWith({ context, taken, writer }: Attempt, error: RunError): Promise<'ended'> {
  writer.close();
  await endRun(context.store, context.clock, taken, { status: 'failed', error });
  return 'ended';
}

function tooManyAttempts({ freezes }: TakenRun): RunError {
  const where = 'The log of the workers names the place.';
  if (freezes < maxAttempts) {
    const message = `The worker died ${maxAttempts} times in a row at the same place. ${where}`;
    return { code: 'worker_crashed', message };
  }
  const message = `The run blocked its worker ${maxAttempts} times in a row at the same place, for example by a pattern or a result that takes too long to read. ${where}`;
  return { code: 'worker_frozen', message };
}

function tooComplex({ file, line, message }: Issue): RunError {
  return { code: 'too_complex', message: `${file}:${line}: ${message}` };
}

/** Saves the trace. If that fails, the first reader folds the trace from the events and saves it. */
async function saveTrace({ context, taken, trace, log }: Attempt): Promise<void> {
  try {
    await saveRunTrace(context.store, taken.request.runId, trace);
  } catch (error) {
    log.warn({ err: error }, 'the timeline of the run could not be saved');
  }
}
