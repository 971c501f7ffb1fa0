import type { Clock } from '@/lib/base/clock';
import type { HookChoice, HookReport, HookStep } from '@/lib/base/hook-report';
import { brandAs, type CallId, type CorrelationId, type InstancePath } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import { identityOf } from '@/lib/cards/hook-when';
import { cardWithoutHooksOff, withoutHooksOff } from '@/lib/cards/hooks-off';
import type { Settings } from '@/lib/cards/settings';
import type { PlacedLayer } from '@/lib/runtime/hook-layers/hook-layer';
import { planHooks, type RunHooks } from '@/lib/runtime/hook-layers/hook-plan';
import type { HookPort } from '@/lib/runtime/ports';
import type { RunError, ToolSource } from '@/lib/runtime/record/events';
import { type AssistantMessage, noUsage, type ToolResult } from '@/lib/runtime/record/messages';
import { recordableBy } from '@/lib/runtime/record/recordable';
import { limitResult } from '@/lib/runtime/record/result-size';
import { stepKey } from '@/lib/runtime/record/step-key';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { limitsOf } from '@/lib/runtime/request/limits';
import { Scope } from '@/lib/runtime/scope';
import { runChain } from './hook-chain';
import { asJson, HookObserver, layerStep, phaseStep } from './hook-observer';
import type { HookedInstance } from './hooked-instance';
import { afterModel, afterTools, afterTurn, beforeModel, beforeTools, withLifecycle } from './turn-hooks';
import { noteAnswer, noteResults } from './turn-view';

export interface TriedCall {
  readonly card: AgentCard;
  readonly settings: Settings;
  readonly port: HookPort;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Without it all hooks of a turn with this one call run. */
  readonly only: HookChoice | undefined;
  /** The tool's name as the model sees it. */
  readonly tool: string;
  readonly source: ToolSource;
  readonly serverName: string | undefined;
  readonly args: JsonObject;
  /** What the tool answers. It does not run. */
  readonly result: ToolResult;
  readonly state: JsonObject;
}

/**
 * Runs the hooks of an agent on one tool call, with the code that runs them in a turn, and reports what each did. No model and
 * no tool runs:
 *
 *   on_start ▶ before_llm ▶ (the call) ▶ after_llm ▶ before_tool ▶ chain ▶ (the result) ▶ chain ▶ after_tool ▶ after_turn ▶ on_shutdown
 *
 * The error says why the hooks cannot be tried. A hook that fails is part of the report. The values in a report are those that
 * a run would record.
 */
export async function tryHooks(given: TriedCall): Promise<Result<HookReport, RunError>> {
  // One hook is tried also while it is off. All hooks are tried as a run has them.
  const tried = given.only === undefined ? asInRun(given) : given;
  const { card, settings, port, clock, only } = tried;
  const planned = planHooks(settings, port);
  const problem = planned.problemOf(card, true);
  if (problem) return err(problem);
  const chain = planned.chainOf(card, true);
  const chosen = chosenPlace(tried, chain);
  if (only && !('phase' in only) && chosen === undefined) return err(noSuchHook(card));
  if (only && 'phase' in only && !hasPhaseHook(card, only.phase)) return err(noSuchHook(card));
  const bench = new Bench(
    tried,
    planned,
    chain.filter(({ place }) => !only || place === chosen),
  );
  const triedAt = clock.now();
  return ok({ ...(await bench.run()), agent: card.name, ms: clock.now() - triedAt, triedAt });
}

function asInRun(tried: TriedCall): TriedCall {
  const { settings } = withoutHooksOff({ cards: [], settings: tried.settings });
  return { ...tried, card: cardWithoutHooksOff(tried.card, settings), settings };
}

/** Returns the place in the whole chain of the one hook that shall run. */
function chosenPlace({ only, settings, card }: TriedCall, chain: readonly PlacedLayer[]): number | undefined {
  if (!only || 'phase' in only) return undefined;
  const ofRun = settings.run_hooks.length;
  const ofAgent = Object.hasOwn(settings.agent_hooks, card.name) ? (settings.agent_hooks[card.name]?.length ?? 0) : 0;
  const before = { run: 0, 'agent settings': ofRun, card: ofRun + ofAgent }[only.origin];
  const place = before + only.index + 1;
  const end = { run: ofRun, 'agent settings': ofRun + ofAgent, card: chain.length }[only.origin];
  return place <= end && chain.some((one) => one.place === place) ? place : undefined;
}

function hasPhaseHook({ toolHooks, lifecycleHooks }: AgentCard, phase: string): boolean {
  const phases = toolHooks.form === 'phases' ? toolHooks.phases : {};
  return Object.hasOwn(phases, phase) || Object.hasOwn(lifecycleHooks, phase);
}

function noSuchHook({ name }: AgentCard): RunError {
  return { code: 'not_found', message: `Agent '${name}' no longer has this hook. Choose another one.` };
}

/** One try. */
class Bench {
  private readonly tried: TriedCall;
  private readonly chain: readonly PlacedLayer[];
  private readonly observer: HookObserver;
  private readonly instance: HookedInstance;
  private readonly recordable: (value: Json) => Json;
  private readonly callId = brandAs<CallId>('call_1');
  private reached: JsonObject | undefined;
  private toolCalls = 0;

  constructor(tried: TriedCall, planned: RunHooks, chain: readonly PlacedLayer[]) {
    const { settings, clock, port, signal, only } = tried;
    this.tried = tried;
    this.chain = chain;
    this.recordable = recordableBy(settings);
    this.observer = new HookObserver(clock);
    const scope = new Scope();
    if (signal.aborted) scope.cancel({ kind: 'run_cancelled' });
    signal.addEventListener('abort', () => scope.cancel({ kind: 'run_cancelled' }), { once: true });
    const card = cardWithPhases(tried.card, only);
    this.instance = {
      run: {
        hooks: planned,
        recordable: this.recordable,
        log: (body, _path, step) => this.observer.note(body, step),
        ports: { events: this.observer.events, clock, hooks: port },
        journal: { hookEnd: () => undefined, nextAttempt: () => 1 },
      },
      spec: {
        card,
        name: card.name,
        path: brandAs<InstancePath>(card.name),
        correlationId: brandAs<CorrelationId>('bench'),
      },
      scope,
      model: card.model ?? '',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
      state: { values: tried.state },
      spent: { usage: noUsage },
      phaseHooks: 0,
      turn: { batches: 0, pending: 1, sent: [], said: [], kept: {}, requestParams: card.requestParams },
    };
  }

  async run(): Promise<Omit<HookReport, 'agent' | 'ms' | 'triedAt'>> {
    let result = this.tried.result;
    const ended = await withLifecycle(this.instance, async () => {
      const done = await this.turn();
      if (done.ok) result = done.value;
      return await afterTurn(this.instance, done.ok ? ok('') : done);
    });
    // A turn that a hook has failed gives the model no result.
    if (!ended.ok) result = errorResult('HOOK_FAILED', ended.error.message);
    return {
      steps: this.steps(),
      ...(this.reached && { arguments: this.shownObject(this.reached) }),
      toolCalls: this.toolCalls,
      result: this.recordable(asJson(result)),
    };
  }

  /** Runs the hooks from the request to the model until the results of the call are known. */
  private async turn(): Promise<Result<ToolResult, RunError>> {
    const { instance, tried } = this;
    const begun = await beforeModel(instance);
    if (!begun.ok) return begun;
    const asked = askedCall(this.callId, tried);
    instance.messages.push(asked);
    noteAnswer(instance, asked);
    const answered = await afterModel(instance, asked);
    if (!answered.ok) return answered;
    const before = await beforeTools(instance, answered.value.message);
    if (!before.ok) return before;
    const call = before.value.message.toolCalls.find(({ id }) => id === this.callId);
    const result = call ? await this.throughChain(argumentsOf(call.argumentsText)) : removedCall(tried.tool);
    const results = [{ callId: this.callId, result }];
    instance.messages.push({ role: 'tool', results });
    noteResults(instance, { merged: [] });
    instance.turn.batches += 1;
    await afterTools(instance, results);
    const last = instance.messages.findLast((message) => message.role === 'tool');
    return ok(last?.results[0]?.result ?? result);
  }

  private async throughChain(args: JsonObject): Promise<ToolResult> {
    const { instance, tried, chain } = this;
    const identity = identityOf(tried.source, tried.serverName, tried.tool);
    const layers = this.observer.watch(chain.filter(({ layer }) => layer.matches(identity, [tried.tool])));
    const limit = limitsOf(tried.settings).maxResultBytes;
    const call = async (reached: JsonObject): Promise<ToolResult> => {
      this.toolCalls += 1;
      this.reached = reached;
      return limitResult(tried.result, limit);
    };
    if (layers.length === 0) return await call(args);
    const { result } = await runChain({
      instance,
      layers,
      demanded: new Set(),
      step: stepKey(instance.spec.path, 't', 1),
      callId: this.callId,
      context: {
        agentName: instance.spec.card.name,
        instanceName: instance.spec.name,
        ...identity,
        toolUseId: this.callId,
        correlationId: instance.spec.correlationId,
        state: tried.state,
      },
      args,
      call,
      mayReuse: tried.source !== 'runtime',
      mayKeep: () => true,
      noteWait: () => undefined,
    });
    return limitResult(result, limit);
  }

  /** Describes all hooks in their order, with those that did not run. */
  private steps(): readonly HookStep[] {
    const { observer, chain, recordable, tried } = this;
    const steps = observer.watched.map((one) =>
      one.place === undefined ? phaseStep(one, recordable) : layerStep(one, chain, recordable),
    );
    const identity = identityOf(tried.source, tried.serverName, tried.tool);
    if (tried.only && 'phase' in tried.only) return steps;
    for (const { layer, place } of chain) {
      if (steps.some((step) => step.place === place)) continue;
      const state = layer.matches(identity, [tried.tool]) ? 'not reached' : 'passed by';
      const missing = { hook: layer.name, place, phase: 'around', state, calledNext: false, log: [], ms: 0 } as const;
      const outer = steps.findLastIndex((step) => step.place !== undefined && step.place < place);
      const first = steps.findIndex((step) => step.phase === 'after_tool_call' || (step.place ?? 0) > place);
      steps.splice(outer !== -1 ? outer + 1 : first !== -1 ? first : steps.length, 0, missing);
    }
    return steps;
  }

  private shownObject(args: JsonObject): JsonObject {
    const shown = this.recordable(args);
    return isJsonObject(shown) ? shown : { cut: shown };
  }
}

/** Returns the card with only the chosen phase hook, or without any if a hook of the chain was chosen. */
function cardWithPhases(card: AgentCard, only: HookChoice | undefined): AgentCard {
  if (!only) return card;
  const phase = 'phase' in only ? only.phase : '';
  const { toolHooks, lifecycleHooks } = card;
  return {
    ...card,
    trimToolHistory: false,
    toolHooks: toolHooks.form === 'phases' ? { ...toolHooks, phases: onlyKey(toolHooks.phases, phase) } : toolHooks,
    lifecycleHooks: onlyKey(lifecycleHooks, phase),
  };
}

function onlyKey<T extends object>(record: T, key: string): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name === key)) as Partial<T>;
}

function askedCall(id: CallId, { tool, args }: TriedCall): AssistantMessage {
  return {
    role: 'assistant',
    content: [],
    toolCalls: [{ id, name: tool, argumentsText: JSON.stringify(args) }],
    stopReason: 'tool_use',
  };
}

function removedCall(tool: string): ToolResult {
  return errorResult('HOOK_FAILED', `A hook removed the call of '${tool}'.`);
}

function argumentsOf(text: string): JsonObject {
  const value = parseJson(text);
  return value !== undefined && isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}
