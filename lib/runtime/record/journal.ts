import type { CorrelationId, InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { CancelReason } from './cancel-reason';
import type { CreatedAgentRecord, RunError, RunEvent, SessionContent, SessionKey, ToolSource } from './events';
import type { Usage } from './messages';

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

/**
 * What the log already says, looked up by step and by instance.
 *
 *   log ──once──▶ maps     step with an end     → its outcome is taken from here, nothing is appended
 *                          step with only starts → runs again as attempt n + 1
 *                          no trace of it        → runs as attempt 1
 *
 * Decisions that depend on time or on people (a timeout, a stop) are recorded as `log` events before they take effect, so
 * that a resumed run does not decide otherwise.
 */
export interface Journal {
  readonly started: EventOf<'run.started'> | undefined;
  readonly finished: EventOf<'run.finished'> | undefined;
  /** The run was told to stop before the log broke off. */
  readonly stopped: CancelReason | undefined;
  /** Every model call that ended, in order. */
  readonly modelCalls: readonly RecordedCall[];
  /** Texts that instructions include, by address. */
  readonly fetched: ReadonlyMap<string, string>;
  modelEnd(step: StepKey): EventOf<'model.ended'> | undefined;
  /** Those that tool calls of an instance made. */
  sampledCalls(path: InstancePath): readonly RecordedCall[];
  toolEnd(step: StepKey): EventOf<'tool.ended'> | undefined;
  /** What a tool itself gave to the hooks that are round it. */
  toolReturned(key: StepKey): EventOf<'tool.returned'> | undefined;
  hookEnd(step: StepKey): EventOf<'hook.ended'> | undefined;
  /** The number of the attempt that would start now. */
  nextAttempt(step: StepKey): number;
  /** The id the call of this step was given, whatever became of it. */
  correlationOf(step: StepKey): CorrelationId | undefined;
  /** The child that the call of this step was given: of several attempts the first. */
  childOf(step: StepKey): EventOf<'instance.queued'> | undefined;
  /** What the call of this step wrote to its caller's state. */
  stateChange(step: StepKey): EventOf<'state.changed'> | undefined;
  /** Everything an instance wrote to its state, as far as recorded. */
  writtenBy(path: InstancePath): JsonObject;
  /** Answers that may serve again, by key. */
  readonly answers: ReadonlyMap<string, string>;
  readonly artifacts: readonly EventOf<'artifact.saved'>[];
  /** The session the call of this step goes on with, and what it held when it was opened. */
  sessionOf(step: StepKey): OpenedSession | undefined;
  isSessionSaved(step: StepKey): boolean;
  /** What sessions hold now, by id. */
  readonly sessions: ReadonlyMap<string, KeptSession>;
  /** Sessions that a call has opened and not given back, by step. */
  readonly heldSessions: ReadonlyMap<StepKey, SessionKey>;
  /** Children that have begun and not ended, by the step of their call. */
  readonly openChildren: ReadonlyMap<StepKey, EventOf<'instance.queued'>>;
  /** Whether the call of this step was running when the log broke off: its child had begun, or it had a session. */
  isChildOpen(step: StepKey): boolean;
  /** Conversations merged into histories, in that order. */
  readonly merges: readonly EventOf<'history.merged'>[];
  /** Agents made in the run, in order. */
  readonly createdAgents: readonly CreatedAgentRecord[];
  /** Tool groups the instance has activated. */
  activatedIn(path: InstancePath): readonly string[];
  /** Messages the instance was given before its own. */
  historyCount(path: InstancePath): number | undefined;
  /** What kind of tool the call of this step was for. */
  sourceOf(step: StepKey): ToolSource | undefined;
  /** The agent of an instance that has not ended. */
  agentOf(path: InstancePath): string | undefined;
  isQueued(path: InstancePath): boolean;
  isStarted(path: InstancePath): boolean;
  /** What the instance was told when it began. Hooks that run again might say something else. */
  inputOf(path: InstancePath): string | undefined;
  instanceEnd(path: InstancePath): EventOf<'instance.ended'> | undefined;
  timedOut(path: InstancePath): boolean;
  /** Setups of the instance so far. */
  setupCount(path: InstancePath): number;
  /** Servers whose latest setup failed, and why. */
  readonly failedServers: ReadonlyMap<string, string>;
  wasLogged(code: string, message: string, path: InstancePath | undefined): boolean;
}

export interface KeptSession {
  readonly owner: string;
  readonly version: number;
  readonly content: SessionContent;
}

/** What a model call used, and whose it was. */
export interface RecordedCall {
  readonly agentName: string;
  readonly model: string;
  readonly usage: Usage;
}

export interface OpenedSession extends KeptSession {
  readonly event: EventOf<'session.opened'>;
}

export const emptySession: SessionContent = { history: [], state: {}, activeGroups: [] };

export function readJournal(log: readonly RunEvent[]): Journal {
  const fetched = new Map<string, string>();
  const models = new Map<string, string>();
  const modelCalls: RecordedCall[] = [];
  const agentNames = new Map<string, string>();
  const modelEnds = new Map<string, EventOf<'model.ended'>>();
  const sampled = new Map<string, RecordedCall[]>();
  const toolEnds = new Map<string, EventOf<'tool.ended'>>();
  const returns = new Map<string, EventOf<'tool.returned'>>();
  const hookEnds = new Map<string, EventOf<'hook.ended'>>();
  const attempts = new Map<string, number>();
  const correlations = new Map<string, CorrelationId>();
  const children = new Map<string, EventOf<'instance.queued'>>();
  const inputs = new Map<string, string>();
  const ends = new Map<string, EventOf<'instance.ended'>>();
  const timeouts = new Set<string>();
  const logged = new Set<string>();
  const written = new Map<string, Map<string, JsonObject>>();
  const stateChanges = new Map<string, EventOf<'state.changed'>>();
  const cacheKeys = new Map<string, string>();
  const candidates = new Map<StepKey, { readonly key: string; readonly answer: string }>();
  const answers = new Map<string, string>();
  const artifacts: EventOf<'artifact.saved'>[] = [];
  const opened = new Map<StepKey, OpenedSession>();
  const saved = new Set<string>();
  const sessions = new Map<string, KeptSession>();
  const heldSessions = new Map<StepKey, SessionKey>();
  const queuedChildren = new Map<string, EventOf<'instance.queued'>>();
  const openChildren = new Map<StepKey, EventOf<'instance.queued'>>();
  const merges: EventOf<'history.merged'>[] = [];
  const createdAgents: CreatedAgentRecord[] = [];
  const activated = new Map<string, readonly string[]>();
  const historyCounts = new Map<string, number>();
  const sources = new Map<string, ToolSource>();
  const setups = new Map<string, string | undefined>();
  const setupCounts = new Map<string, number>();
  const failedServers = new Map<string, string>();
  let started: EventOf<'run.started'> | undefined;
  let finished: EventOf<'run.finished'> | undefined;
  let stopped: CancelReason | undefined;

  for (const event of log) {
    switch (event.kind) {
      case 'run.started':
        started = event;
        break;
      case 'run.finished':
        finished = event;
        break;
      case 'url.fetched':
        fetched.set(event.url, event.text);
        break;
      case 'instance.queued':
        agentNames.set(event.path, event.agentName);
        if (event.parentStep !== undefined) queuedChildren.set(event.path, event);
        if (event.parentStep !== undefined && event.attempt === undefined) children.set(event.parentStep, event);
        break;
      case 'instance.started': {
        inputs.set(event.path, event.input);
        const child = queuedChildren.get(event.path);
        if (child?.parentStep !== undefined) openChildren.set(child.parentStep, child);
        if (event.historyCount !== undefined) historyCounts.set(event.path, event.historyCount);
        if (event.cacheKey !== undefined) cacheKeys.set(event.path, event.cacheKey);
        break;
      }
      case 'instance.ended': {
        ends.set(event.path, event);
        // Its open calls are over with it.
        for (const step of heldSessions.keys()) if (step.startsWith(`${event.path}#`)) heldSessions.delete(step);
        const key = cacheKeys.get(event.path);
        const step = queuedChildren.get(event.path)?.parentStep;
        if (step) openChildren.delete(step);
        if (key !== undefined && step && event.answer !== undefined)
          candidates.set(step, { key, answer: event.answer });
        break;
      }
      case 'state.changed': {
        stateChanges.set(event.step, event);
        if (event.outcome !== 'committed') break;
        // A step that ran again after a crash wrote again: the last time counts.
        const steps = written.get(event.path) ?? new Map<string, JsonObject>();
        steps.delete(event.step);
        written.set(event.path, steps.set(event.step, event.delta));
        break;
      }
      case 'setup.started':
        setupCounts.set(event.path, (setupCounts.get(event.path) ?? 0) + 1);
        setups.set(event.step, event.what === 'server' ? event.name : undefined);
        break;
      case 'setup.ended':
        noteServer(failedServers, setups.get(event.step), event.error);
        break;
      case 'model.started':
        models.set(event.step, event.model);
        attempts.set(event.step, event.attempt);
        break;
      case 'model.ended': {
        modelEnds.set(event.step, event);
        const { path, step, usage } = event;
        const call = { agentName: agentNames.get(path) ?? '', model: models.get(step) ?? '', usage };
        modelCalls.push(call);
        if (/#t[^#]*\.s\d+$/.test(step)) {
          const calls = sampled.get(path);
          if (calls) calls.push(call);
          else sampled.set(path, [call]);
        }
        break;
      }
      case 'tool.started':
        attempts.set(event.step, event.attempt);
        correlations.set(event.step, event.correlationId);
        sources.set(event.step, event.source);
        break;
      case 'tool.ended': {
        toolEnds.set(event.step, event);
        heldSessions.delete(event.step);
        // Only now: what the child answered counts when nothing refused what it wrote.
        const candidate = event.result.isError ? undefined : candidates.get(event.step);
        if (candidate && !answers.has(candidate.key)) answers.set(candidate.key, candidate.answer);
        break;
      }
      case 'session.opened': {
        const { step, sessionId, version, owner } = event;
        const content = event.content ?? sessions.get(sessionId)?.content ?? emptySession;
        opened.set(step, { event, version, content, owner });
        sessions.set(sessionId, { version, content, owner });
        heldSessions.set(step, { id: sessionId, owner });
        break;
      }
      case 'session.saved': {
        const { step, sessionId, version, kept, messages, state, activeGroups } = event;
        const before = opened.get(step);
        const history = [...(before?.content.history ?? []).slice(0, kept), ...messages];
        sessions.set(sessionId, { version, content: { history, state, activeGroups }, owner: before?.owner ?? '' });
        saved.add(step);
        // With it the seat is given back, before the call itself has ended.
        heldSessions.delete(step);
        break;
      }
      case 'history.merged':
        merges.push(event);
        break;
      case 'agent.created':
        createdAgents.push(event.agent);
        break;
      case 'groups.activated':
        activated.set(event.path, [...(activated.get(event.path) ?? []), ...event.groups]);
        break;
      case 'tool.returned':
        returns.set(event.step, event);
        break;
      case 'hook.started':
        attempts.set(event.step, event.attempt);
        break;
      case 'hook.ended':
        hookEnds.set(event.step, event);
        break;
      case 'log':
        logged.add(logKey(event.code, event.message, event.path));
        if (event.code === 'agent_timeout' && event.path !== undefined) timeouts.add(event.path);
        else stopped ??= stopOf(event);
        break;
      case 'artifact.saved':
        artifacts.push(event);
        break;
      case 'run.resumed':
        break;
    }
  }

  return {
    started,
    finished,
    stopped,
    modelCalls,
    fetched,
    modelEnd: (step) => modelEnds.get(step),
    sampledCalls: (path) => sampled.get(path) ?? [],
    toolEnd: (step) => toolEnds.get(step),
    toolReturned: (key) => returns.get(key),
    hookEnd: (step) => hookEnds.get(step),
    nextAttempt: (step) => (attempts.get(step) ?? 0) + 1,
    correlationOf: (step) => correlations.get(step),
    childOf: (step) => children.get(step),
    stateChange: (step) => stateChanges.get(step),
    writtenBy: (path) => Object.fromEntries([...(written.get(path)?.values() ?? [])].flatMap(Object.entries)),
    answers,
    artifacts,
    sessionOf: (step) => opened.get(step),
    isSessionSaved: (step) => saved.has(step),
    sessions,
    heldSessions,
    openChildren,
    isChildOpen: (step) => openChildren.has(step) || heldSessions.has(step),
    merges,
    createdAgents,
    activatedIn: (path) => activated.get(path) ?? [],
    historyCount: (path) => historyCounts.get(path),
    sourceOf: (step) => sources.get(step),
    agentOf: (path) => (ends.has(path) ? undefined : agentNames.get(path)),
    isQueued: (path) => agentNames.has(path),
    isStarted: (path) => inputs.has(path),
    inputOf: (path) => inputs.get(path),
    instanceEnd: (path) => ends.get(path),
    timedOut: (path) => timeouts.has(path),
    setupCount: (path) => setupCounts.get(path) ?? 0,
    failedServers,
    wasLogged: (code, message, path) => logged.has(logKey(code, message, path)),
  };
}

/** Keeps count of the servers whose latest start failed. `server` undefined: it was no server that was set up. */
export function noteServer(failed: Map<string, string>, server: string | undefined, error: RunError | undefined): void {
  if (server === undefined || error?.code === 'cancelled') return;
  if (error) failed.set(server, error.message);
  else failed.delete(server);
}

function logKey(code: string, message: string, path: InstancePath | undefined): string {
  return `${code}\n${path ?? ''}\n${message}`;
}

/** Only the runtime itself logs these codes without an instance. */
function stopOf(event: EventOf<'log'>): CancelReason | undefined {
  if (event.path !== undefined || event.serverName !== undefined) return undefined;
  switch (event.code) {
    case 'run_cancelled':
    case 'run_timeout':
    case 'max_tokens':
    case 'max_cost':
      return { kind: event.code };
    default:
      return undefined;
  }
}
