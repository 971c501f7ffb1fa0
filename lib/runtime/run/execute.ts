import { brandAs, type InstancePath } from '@/lib/base/ids';
import { err } from '@/lib/base/result';
import { hasLeft } from '@/lib/base/run-left';
import type { Card } from '@/lib/cards/card';
import { withoutFixtures } from '@/lib/cards/fixture-files';
import type { Folder } from '@/lib/cards/folder';
import { withoutHooksOff } from '@/lib/cards/hooks-off';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { withoutLeftOut } from '@/lib/cards/project/without-left-out';
import { withoutSecretFiles } from '@/lib/cards/secret-files';
import { recordedAgents } from '@/lib/runtime/delegation/created-agents';
import { cardResultMode } from '@/lib/runtime/delegation/result-mode';
import { planHooks } from '@/lib/runtime/hook-layers/hook-plan';
import type { AgentPlan } from '@/lib/runtime/instance/agent-plan';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import { runTimeoutMessage } from '@/lib/runtime/instance/limit-messages';
import { Questions } from '@/lib/runtime/instance/questions';
import { queueInstance } from '@/lib/runtime/instance/queue-instance';
import type { Run } from '@/lib/runtime/instance/run';
import { Setups } from '@/lib/runtime/instance/setups';
import { fetchIncludes } from '@/lib/runtime/instruction/fetch-includes';
import { recordedSpending } from '@/lib/runtime/model/budget';
import { CallScheduler } from '@/lib/runtime/permits/call-scheduler';
import type { Ports } from '@/lib/runtime/ports';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { type Journal, readJournal } from '@/lib/runtime/record/journal';
import type { Message } from '@/lib/runtime/record/messages';
import { recordableBy } from '@/lib/runtime/record/recordable';
import { RequestNotes } from '@/lib/runtime/record/request-notes';
import { costOfSpending } from '@/lib/runtime/record/spending';
import { endsTaken } from '@/lib/runtime/record/take-record';
import { findUnscripted, findUnserved } from '@/lib/runtime/request/find-unserved';
import { limitsOf } from '@/lib/runtime/request/limits';
import { describeFiles, fileBlocks } from '@/lib/runtime/request/message-files';
import { isScripted } from '@/lib/runtime/request/resolve-model';
import type { RunOutcome, RunRequest } from '@/lib/runtime/request/run-request';
import { cardsByName, runnable } from '@/lib/runtime/request/validate';
import { Scope } from '@/lib/runtime/scope';
import {
  type EarlierConversation,
  openConversation,
  saveConversation,
  withConversation,
} from '@/lib/runtime/sessions/conversation';
import { RunArtifacts } from '@/lib/runtime/state/artifacts';
import { runtimeTools } from '@/lib/runtime/surface/runtime-tools';
import { ActiveTimes } from '@/lib/runtime/waiting/active-time';
import { countPorts } from '@/lib/runtime/waiting/count-ports';
import { type ClosableSink, closableSink, suspendWhenWaiting } from '@/lib/runtime/waiting/suspend';
import { loadCode } from './load-code';
import { planAgent } from './plan-agent';
import { recordedResources } from './recorded-resources';
import { failInstance, runInstance } from './run-instance';
import type { InstanceStart } from './start-instance';

export interface ExecuteInput {
  readonly folder: Folder;
  readonly parsed: ParsedFolder;
  readonly request: RunRequest;
  readonly ports: Ports;
  /** Every event recorded so far, in order. It is empty for a new run. */
  readonly log: readonly RunEvent[];
  /** Aborting it cancels the run, and with a `RunLeft` leaves it to another process. A worker that shuts down must not abort it. */
  readonly signal: AbortSignal;
  /** The worker's name in `run.resumed`. */
  readonly worker?: string;
  /** The longest time that a run may take here, whatever its files say. */
  readonly longestRunMs?: number | undefined;
  /** Set for a run that is one instance of another run. */
  readonly instance?: InstanceStart | undefined;
  /** What was said before, for a run that begins with the conversation of another run and does not continue it. */
  readonly earlier?: EarlierConversation | undefined;
}

/**
 * Runs a graph from `run.started` to `run.finished`, or resumes it from `log`. For a finished log it returns the outcome and
 * appends nothing. When only people are waited for and the hold time is over, it suspends the run: it appends `run.suspended`,
 * flushes, and resolves with status `suspended`. After that it writes nothing, and another execution resumes from the log.
 * Rejects only for a bug in Callboard: failures of a graph, a model or a tool are outcomes.
 */
export async function execute(given: ExecuteInput): Promise<RunOutcome> {
  const { request, ports, signal } = given;
  const journal = readJournal(given.log);
  if (journal.finished) return recordedOutcome(journal.finished);

  const { parsed, ready } = partsOfRun(given);
  const input = { ...given, parsed };
  begin(input, journal, ready.ok ? ready.value.entry.name : (request.agent ?? parsed.settings.entry ?? ''));
  const events = closableSink(ports.events);
  const run = createRun(input, journal, events);
  if (!ready.ok) return finish(run, { status: 'failed', answer: undefined, error: ready.error, written: {} });

  if (journal.stopped) run.scope.cancel(journal.stopped);
  const cancel = () => {
    if (hasLeft(signal)) run.scope.cancel({ kind: 'run_left' });
    else run.stop('run_cancelled', 'The run was stopped.');
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  const root: InstanceSpec = { ...rootInstance(run, ready.value.entry), ...input.instance };
  const time = run.times.start(root.path, run.scope);
  if (!run.scope.reason) time.limitTo(run.limits.runTimeoutMs, () => run.stop('run_timeout', runTimeoutMessage(run)));
  const { suspended, leave } = suspension(run, events, ports);
  try {
    const ended = runRoot(input, run, root, ready.value.entry);
    const outcome = await Promise.race([suspended, ended]).catch((error: unknown) => {
      if (!events.isClosed) throw error;
    });
    // A suspended run comes to an end here too, which counts for nothing.
    return outcome === undefined || events.isClosed ? await suspended : outcome;
  } finally {
    // After a bug this stops whatever still runs. After a normal end nothing runs.
    run.scope.cancel({ kind: 'run_cancelled' });
    leave();
    run.times.stop(root.path);
    signal.removeEventListener('abort', cancel);
  }
}

/** Returns the project as the run has it, and whether it can run. */
function partsOfRun({ parsed: written, request }: ExecuteInput): {
  readonly parsed: ParsedFolder;
  readonly ready: ReturnType<typeof runnable>;
} {
  const parsed = withoutHooksOff(written);
  const rest = withoutLeftOut(parsed, request.leftOut ?? [], request.agent);
  if (!rest.ok) return { parsed, ready: err({ code: 'left_out_needed', message: rest.error }) };
  return { parsed: rest.value, ready: runnable(rest.value, request) };
}

async function runRoot(
  { parsed, request, ports, earlier }: ExecuteInput,
  run: Run,
  root: InstanceSpec,
  entry: Card,
): Promise<RunOutcome> {
  const unserved = run.journal.started
    ? undefined
    : (findUnscripted(parsed, request, entry) ?? findUnserved(parsed, request, ports.model, entry));
  queueInstance(run, root);
  const session = await openConversation(run, root, earlier);
  if (!session.ok) return await finish(run, failInstance(run, root, session.error));
  if (unserved) return await finish(run, failInstance(run, root, unserved));
  const fault = await loadCode(run, entry, root.path);
  if (fault) return await finish(run, failInstance(run, root, fault));
  const included = await fetchIncludes(run, entry, root.path);
  if (!included.ok) return await finish(run, failInstance(run, root, included.error));
  run.included = included.value;
  const outcome = await runInstance(run, withConversation(root, session.value));
  await saveConversation(run, root, session.value, outcome);
  return await finish(run, outcome);
}

/** `suspended` resolves when the run was suspended and all its events are durable. `leave` ends the watch. */
function suspension(
  run: Run,
  events: ClosableSink,
  { people, clock, events: durable }: Ports,
): { readonly suspended: Promise<RunOutcome>; leave(): void } {
  if (!people) return { suspended: new Promise(() => {}), leave: () => {} };
  let leave = () => {};
  const suspended = new Promise<RunOutcome>((resolve) => {
    leave = suspendWhenWaiting(people, clock, run.scope, () => {
      events.append({ kind: 'run.suspended', open: run.questions.openCount, activeMs: run.times.all() });
      events.close();
      // Ends timers and the waits for answers. What still happens here is not recorded, and no port is called.
      run.scope.cancel({ kind: 'run_left' });
      const { usage } = run.spending.whole;
      void durable.flush().then(() => resolve({ status: 'suspended', answer: undefined, error: undefined, usage }));
    });
  });
  return { suspended, leave };
}

function begin({ parsed, request, ports, worker, log }: ExecuteInput, journal: Journal, entryAgent: string): void {
  if (journal.started) {
    // A run that begins with the record of another one begins here. No worker has died.
    if (endsTaken(log.at(-1))) return;
    ports.events.append({ kind: 'run.resumed', worker: worker ?? '' });
    return;
  }
  ports.events.append({
    kind: 'run.started',
    runId: request.runId,
    correlationId: request.correlationId,
    entryAgent,
    message: request.message,
    model: request.model,
    scripted: isScripted(parsed, request),
    ...(request.attachments && request.attachments.length > 0 && { attachments: describeFiles(request.attachments) }),
    ...(request.leftOut && request.leftOut.length > 0 && { leftOut: request.leftOut }),
    ...(request.marks && { marks: request.marks }),
  });
}

function createRun(
  { folder: whole, parsed, request, ports: given, longestRunMs }: ExecuteInput,
  journal: Journal,
  events: ClosableSink,
): Run {
  const folder = withoutFixtures(withoutSecretFiles(whole));
  const runtime = given.tools.runtime ?? runtimeTools({ folder, parsed, shell: given.shell });
  const scope = new Scope();
  const withRuntime: Ports = { ...given, events, tools: { ...given.tools, runtime } };
  // Without people nothing waits for them.
  const ports = given.people ? countPorts(withRuntime, scope, () => events.isClosed) : withRuntime;
  const plans = new Map<string, AgentPlan>();
  const cards = cardsByName(parsed);
  const templates = new Map<string, Message[]>();
  const said = new Set<string>();
  const limits = limitsOf(parsed.settings, longestRunMs);
  const createdAgents = recordedAgents(journal.createdAgents, cards);
  const run: Run = {
    request,
    folder,
    parsed,
    cards,
    limits,
    ports,
    journal,
    scope,
    spending: recordedSpending(ports, journal),
    included: new Map(),
    answers: new Map(journal.answers),
    recordable: recordableBy(parsed.settings),
    artifacts: new RunArtifacts(
      journal.artifacts,
      ports.events,
      ports.artifacts,
      limits.maxArtifactBytes,
      request.runId,
      ports.hash,
    ),
    setups: new Setups(ports.events, journal),
    questions: new Questions(request.runId, ports.events, journal),
    times: new ActiveTimes(given.clock, journal.activeMs),
    requests: new RequestNotes(),
    scheduler: new CallScheduler(recordedResources(journal, parsed.settings, createdAgents)),
    sessions: new Map(journal.sessions),
    createdAgents,
    templateOf(card) {
      let template = templates.get(card.name);
      if (!template) {
        const merged = journal.merges.filter(({ target, agentName }) => target === 'child' && agentName === card.name);
        template = [...run.planOf(card).initialHistory, ...merged.flatMap(({ messages }) => messages)];
        templates.set(card.name, template);
      }
      return template;
    },
    hooks: planHooks(parsed.settings, ports.hooks, (card) => run.createdAgents.get(card.name)?.creator ?? card),
    planOf(card) {
      let plan = plans.get(card.name);
      if (!plan) {
        plan = planAgent(run, card);
        plans.set(card.name, plan);
      }
      return plan;
    },
    runInstance: (spec) => runInstance(run, spec),
    log(body, path, step) {
      // A failed server is logged once, not for each card that uses it, and not again by a resumed run.
      if (path === undefined && said.has(body.message)) return;
      if (path === undefined) said.add(body.message);
      if (step === undefined && journal.wasLogged(body.code, body.message, path)) return;
      ports.events.append({ kind: 'log', ...body, path, step });
    },
    stop(kind, message) {
      if (scope.reason) return;
      run.log({ level: 'warning', code: kind, message });
      scope.cancel(kind === 'over_budget' ? { kind, message } : { kind });
    },
  };
  return run;
}

function rootInstance(run: Run, card: Card): InstanceSpec {
  return {
    card,
    path: brandAs<InstancePath>(card.name.replaceAll('/', '%2F')),
    name: card.name,
    correlationId: run.request.correlationId,
    depth: 0,
    maxDepth: run.limits.maxDepth,
    // A workflow reads the `messages` of its card itself, so that they are not part of what its steps get.
    history: card.type === 'agent' ? run.planOf(card).initialHistory : [],
    input: run.request.message,
    attachments: fileBlocks(run.request.attachments),
    state: {},
    artifacts: { space: 'run', prefixes: [] },
    handedModels: undefined,
    outputSchema: undefined,
    forward: true,
    cacheKey: undefined,
    runHooks: true,
    handsOn: true,
    attempt: 1,
    resultMode: cardResultMode(card) ?? 'postprocess',
    keepsConversation: false,
    heldResources: [],
    sessionId: undefined,
    activeGroups: undefined,
    timeoutMs: undefined,
    scope: run.scope,
    parent: undefined,
    refusal: undefined,
  };
}

async function finish(run: Run, root: InstanceOutcome): Promise<RunOutcome> {
  run.questions.withdrawAll();
  const { whole, agents } = run.spending;
  const outcome = {
    status: root.status === 'timeout' ? 'failed' : root.status,
    answer: root.answer,
    error: root.status === 'cancelled' ? stoppedError : root.error,
    usage: whole.usage,
    failedServers: run.setups.failedServers(),
  } satisfies RunOutcome;
  run.ports.events.append({
    kind: 'run.finished',
    ...outcome,
    ...costOfSpending(whole),
    agents: [...agents].map(([agentName, spent]) => ({ agentName, ...spent })),
  });
  await run.ports.events.flush();
  return outcome;
}

const stoppedError: RunError = { code: 'cancelled', message: 'The run was stopped.' };

function recordedOutcome(finished: Extract<RunEvent, { kind: 'run.finished' }>): RunOutcome {
  return {
    status: finished.status,
    answer: finished.answer,
    error: finished.error,
    usage: finished.usage,
    failedServers: finished.failedServers,
  };
}
