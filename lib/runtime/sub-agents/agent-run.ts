import { AppError } from '@/lib/base/app-error';
import type { Clock } from '@/lib/base/clock';
import type { PendingId } from '@/lib/base/ids';
import { own } from '@/lib/base/own';
import type { ItemEnd, PendingQuestion } from '@/lib/base/pending';
import type { PeoplePort, Ports } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { RunError, RunEvent, RunStatus } from '@/lib/runtime/record/events';
import { runnable } from '@/lib/runtime/request/validate';
import { type ExecuteInput, execute } from '@/lib/runtime/run/execute';
import { decidePending, resultProblem } from './decide-pending';
import { idsOf, type PendingDelegation, pendingDelegations } from './pending-delegations';
import { PendingResults, type SavedResults } from './pending-results';
import type { GenerateReason, InnerResult, SuspendedResult } from './sub-agent-result';

export interface AgentRunInput extends Omit<ExecuteInput, 'ports' | 'log' | 'signal' | 'instance'> {
  readonly clock: Clock;
  /** Makes the ports of one call. `events` numbers events and keeps them; it may be wrapped, for example to hide secrets. */
  ports(events: EventSink): Omit<Ports, 'people'>;
  /** The events of an earlier process, in order. Empty for a new run. */
  readonly log?: readonly RunEvent[];
  /** What `saved` returned in an earlier process. */
  readonly results?: unknown;
  /** Makes events durable. It is called before `call` resolves, and whenever the run needs them to be. */
  store?(events: readonly RunEvent[]): Promise<void>;
  readonly signal?: AbortSignal;
}

/** What `call` returns. */
export interface AgentReply {
  readonly status: RunStatus | 'suspended';
  /** `MODEL_STOP` unless the run is suspended. */
  readonly reason: GenerateReason;
  /** The answer; empty while the run is suspended. */
  readonly text: string;
  /** What the run waits for: one result for each call of the root agent that is suspended. */
  readonly results: readonly SuspendedResult[];
  readonly error: RunError | undefined;
}

/**
 * A run for programs that answer its questions themselves, with the protocol of agentscope's agents as tools: a child that waits
 * for people suspends its delegation, the answer of `call` lists every suspended delegation, and `call` again goes on.
 *
 *   call() ─▶ suspended ─▶ submitSubAgentResult(id, …)* ─▶ call() ─▶ suspended ─▶ … ─▶ completed
 *
 * Only delegations of which both switches are on hand on their questions (`enable_hitl` of the edge, `enable_sub_agent_hitl` of
 * the parent); below any other one nobody can be asked, and the child goes on with that.
 *
 * The state is the log and the submitted results. A process that dies loses neither: a result counts as used when the log has
 * the answer, so an interrupted `call` can be made again.
 */
export class AgentRun {
  private readonly input: AgentRunInput;
  private readonly events: RunEvent[];
  private readonly pending: PendingResults;
  /** Delegations that got a result since the last call. */
  private readonly touched = new Set<string>();
  private isCalled = false;

  constructor(input: AgentRunInput) {
    this.input = input;
    this.events = [...(input.log ?? [])];
    this.pending = PendingResults.from(input.results);
    for (const id of this.pending.ids()) if (this.pending.of(id).length > 0) this.touched.add(id);
    this.register();
  }

  /** The log so far. */
  get log(): readonly RunEvent[] {
    return this.events;
  }

  /** The submitted results that the log does not have yet, as JSON. */
  saved(): SavedResults {
    return this.pending.saved();
  }

  /** True if the root agent takes over children that wait for people. */
  get isSubAgentHitlEnabled(): boolean {
    const { parsed, request } = this.input;
    const ready = runnable(parsed, request);
    return ready.ok && own(parsed.settings.enable_sub_agent_hitl, ready.value.entry.name) === true;
  }

  /** What the run waits for now. Calls that have a submitted result are left out. */
  suspended(): readonly SuspendedResult[] {
    return this.delegations().map(({ result }) => result);
  }

  /**
   * Begins the run, or goes on with it. A delegation for which nothing was submitted since the last call is confirmed: its pending
   * calls run. Otherwise its calls without a result stay pending. Questions that only an answer can end stay pending too.
   * Throws AppError `conflict` while another call is under way. Rejects when events cannot be stored; then nothing that was
   * submitted is lost, and the call can be made again.
   */
  async call(): Promise<AgentReply> {
    if (this.isCalled) throw new AppError('conflict', 'A call of this run is under way. Wait for its end.');
    this.isCalled = true;
    try {
      return await this.goOn();
    } finally {
      this.isCalled = false;
    }
  }

  /** Submits the result of one inner call of a suspended delegation. Throws as `submitSubAgentResults` does. */
  submitSubAgentResult(id: string, result: InnerResult): void {
    if (!isGiven(result)) throw new AppError('bad_request', 'The result must not be null.');
    this.submitSubAgentResults(id, [result]);
  }

  /**
   * Submits results of inner calls of a suspended delegation, in any number of steps. `id` is the id of the root agent's call. The
   * results count with the next `call`. All of them are taken, or none. Throws AppError
   *
   *   - `conflict` if the root agent takes over no children that wait for people;
   *   - `bad_request` for null, an empty list, an inner call that is not pending or has a result, a result that does not fit its form,
   *     or a decision that its question does not take;
   *   - `conflict` for a question that has expired;
   *   - `not_found` for an id that is no suspended delegation.
   */
  submitSubAgentResults(id: string, results: readonly InnerResult[]): void {
    if (!this.isSubAgentHitlEnabled) {
      throw new AppError(
        'conflict',
        "Sub-agent HITL is off for this agent. Set 'enable_sub_agent_hitl' in callboard.yaml.",
      );
    }
    this.submit(id, results, ({ meta }) => meta !== undefined);
  }

  /**
   * Submits results for any suspended call that `call` has listed: those of a delegation as `submitSubAgentResults` does, and those of a
   * call of the root agent itself, which need no switch. Throws as that does.
   */
  submitResults(id: string, results: readonly InnerResult[]): void {
    const isOfChild = this.delegations().some(({ result }) => result.id === id && result.meta !== undefined);
    if (isOfChild) this.submitSubAgentResults(id, results);
    else this.submit(id, results, ({ meta }) => meta === undefined);
  }

  /** Submits the results of calls of the root agent itself that wait. `id` of a result is that of the pending call. */
  submitResult(result: InnerResult): void {
    const found = this.delegations().find(
      ({ result: one, questions }) => one.meta === undefined && questions.flatMap(idsOf).includes(result.id),
    );
    if (!found) throw new AppError('not_found', `No pending result for tool: ${result.id}`);
    this.take(found, [result]);
  }

  private submit(id: string, results: readonly InnerResult[], isMeant: (result: SuspendedResult) => boolean): void {
    if (!Array.isArray(results) || !results.every(isGiven))
      throw new AppError('bad_request', 'The results must not be null.');
    if (results.length === 0) throw new AppError('bad_request', 'The results must not be empty.');
    const all = this.delegations();
    const found = all.find(({ result }) => result.id === id && isMeant(result));
    if (!found) {
      const waiting = all.map(({ result }) => `'${result.id}'`).join(', ');
      const next = waiting === '' ? 'Nothing waits for a result' : `These wait: ${waiting}`;
      throw new AppError('not_found', `No pending result for tool: ${id}. ${next}.`);
    }
    this.take(found, results);
  }

  private take({ result: { id }, questions }: PendingDelegation, results: readonly InnerResult[]): void {
    const open = new Map(questions.flatMap((question) => idsOf(question).map((one) => [one, question] as const)));
    const given = new Set(this.pending.of(id).map((one) => one.id));
    for (const result of results) {
      if (given.has(result.id)) throw new AppError('bad_request', `'${result.id}' has a result already.`);
      const question = open.get(result.id);
      if (!question) throw new AppError('bad_request', `'${result.id}' is no pending call of '${id}'.`);
      given.add(result.id);
      if (this.isExpired(question)) {
        const why = 'nobody decided in time. Go on without a result for it';
        throw new AppError('conflict', `'${result.id}' has expired: ${why}.`);
      }
      const problem = resultProblem(question, result);
      if (problem !== undefined)
        throw new AppError('bad_request', `The result of '${result.id}' cannot be used. ${problem}.`);
    }
    this.pending.add(id, results);
    this.touched.add(id);
  }

  private delegations(): readonly PendingDelegation[] {
    const given = new Set(this.pending.ids().flatMap((id) => this.pending.of(id).map((one) => one.id)));
    return pendingDelegations(this.events, given);
  }

  private async goOn(): Promise<AgentReply> {
    const ends = this.decide();
    const people: PeoplePort = {
      isByDelegation: true,
      holdMs: () => 0,
      answerOf: (item, signal) => {
        const end = ends.get(item) ?? this.endAtOnce(item);
        if (end) return Promise.resolve(end);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: 'withdrawn' }), { once: true });
        });
      },
    };
    const stop = new AbortController();
    const end = () => stop.abort();
    this.input.signal?.addEventListener('abort', end, { once: true });
    if (this.input.signal?.aborted) stop.abort();
    const sink = this.sink(end);
    const { log: _log, results: _results, store: _store, signal: _signal, clock: _clock, ports, ...rest } = this.input;
    const outcome = await execute({
      ...rest,
      ports: { ...ports(sink), people },
      log: [...this.events],
      signal: stop.signal,
    });
    this.input.signal?.removeEventListener('abort', end);
    await sink.check();
    this.touched.clear();
    this.register();
    const results = outcome.status === 'suspended' ? this.suspended() : [];
    return {
      status: outcome.status,
      reason: outcome.status === 'suspended' ? 'TOOL_SUSPENDED' : 'MODEL_STOP',
      text: outcome.answer ?? '',
      results,
      error: outcome.error,
    };
  }

  private decide(): ReadonlyMap<PendingId, ItemEnd> {
    const ends = new Map<PendingId, ItemEnd>();
    for (const { result, questions } of pendingDelegations(this.events)) {
      const results = this.pending.of(result.id);
      for (const question of questions) {
        const answer = decidePending(question, results, !this.touched.has(result.id));
        if (answer) ends.set(question.item, { outcome: 'answered', answer });
        const hasResult = idsOf(question).some((id) => results.some((one) => one.id === id));
        if (!hasResult && this.isExpired(question)) ends.set(question.item, { outcome: 'expired' });
      }
    }
    return ends;
  }

  private isExpired({ limit }: PendingQuestion): boolean {
    return limit !== undefined && limit.at <= this.input.clock.now();
  }

  /** A server that waits for its answer keeps the run going, so no later `call` could give one. */
  private endAtOnce(item: PendingId): ItemEnd | undefined {
    const asked = this.events.findLast((event) => event.kind === 'person.asked' && event.item === item);
    if (asked?.kind !== 'person.asked' || asked.server?.waits !== true) return undefined;
    const note = `Server '${asked.server.serverName}' waits for the answer while its tool runs, and a program decides between two calls only.`;
    return { outcome: 'answered', answer: { decision: 'deny', note, by: 'policy', via: 'run' } };
  }

  /** Registers what is suspended now, and drops results that the log has. */
  private register(): void {
    const open = new Map(pendingDelegations(this.events).map((one) => [one.result.id, one]));
    for (const id of this.pending.ids()) if (!open.has(id)) this.pending.remove(id);
    for (const [id, { result, questions }] of open) {
      this.pending.setSession(id, result.meta?.subagent_session_id ?? id);
      const ids = new Set(questions.flatMap(idsOf));
      this.pending.drop(id, new Set(this.pending.of(id).flatMap((one) => (ids.has(one.id) ? [] : [one.id]))));
    }
  }

  /**
   * Numbers events and stores them. If they cannot be stored, the run is stopped with `stop`, and `check` throws the error: the log
   * then ends where the store ends, so that the call can be made again. `store` is called for one batch at a time.
   */
  private sink(stop: () => void): EventSink & { check(): Promise<void> } {
    const { events } = this;
    const { clock, store } = this.input;
    let stored = events.length;
    let failure: { readonly error: unknown } | undefined;
    let storing: Promise<void> = Promise.resolve();
    // What another flush has stored meanwhile is not stored again.
    const storeRest = async () => {
      const batch = events.slice(stored);
      if (batch.length === 0 || failure) return;
      try {
        await store?.(batch);
        stored += batch.length;
      } catch (error) {
        failure = { error };
        stop();
      }
    };
    return {
      append(body) {
        events.push({ seq: events.length + 1, at: clock.now(), ...body });
      },
      flush() {
        storing = storing.then(storeRest);
        return storing;
      },
      async check() {
        await storing;
        if (!failure) return;
        events.splice(stored);
        throw failure.error;
      },
    };
  }
}

function isGiven(result: InnerResult | null | undefined): result is InnerResult {
  return result !== null && result !== undefined && Array.isArray(result.content);
}
