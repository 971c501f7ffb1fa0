import { brandAs, type CallId, type StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { argumentsChange, type HookChange, resultChange } from './hook-changes';
import { type HookLayer, type PlacedLayer, scrubbedArguments, scrubbedResult } from './hook-layer';
import type { ToolResult } from './messages';
import type { HookContext, HookOutcome } from './ports';
import type { Instance } from './run-state';
import { cancelledResult, errorResult, thrownMessage } from './tool-error';

/**
 * One tool call with the hooks that are round it, first declared outermost.
 *
 *   model ▶ h1 ▶ h2 ▶ tool          steps    #t7        the call, as the model asked and as it reads the answer
 *   model ◀ h1 ◀ h2 ◀ tool                   #t7.h1     the first layer; its number is its place in the whole chain
 *                                            #t7.r2.h2  the second layer, asked again by a layer that tries again
 *
 * A layer's result counts only when the layers under it have ended, so that nothing of a call outlives the call. A layer
 * that did not wait for them, or called `next` after its end, is noted.
 */
export interface ChainedCall {
  readonly instance: Instance;
  /** Those that match the call. */
  readonly layers: readonly PlacedLayer[];
  readonly step: StepKey;
  readonly callId: CallId;
  readonly context: HookContext;
  readonly args: JsonObject;
  /** The tool itself; `key` names this very execution of it. Must not reject. */
  call(args: JsonObject, key: StepKey, chain: ChainView): Promise<ToolResult>;
}

/** The chain as the tool at its end sees it. */
export interface ChainView {
  readonly layers: readonly PlacedLayer[];
  /** Nothing of the call is recorded any more. */
  isOver(): boolean;
}

/** Runs the chain to its end, or until the instance is cancelled: then what is open is closed and the rest is not heard. */
export async function runChain(chained: ChainedCall): Promise<ToolResult> {
  const { scope } = chained.instance;
  const chain = new Chain(chained);
  const result = await scope.race(chain.run(), () => cancelledResult);
  chain.close();
  return result;
}

class Chain {
  readonly #call: ChainedCall;
  /** Steps of hooks that have begun and not ended, innermost last. */
  readonly #open = new Map<StepKey, { calledNext: boolean }>();
  #isOver = false;

  constructor(call: ChainedCall) {
    this.#call = call;
  }

  run(): Promise<ToolResult> {
    return this.#from(0, this.#call.args, '');
  }

  /** A hook that is cut off has an end too. */
  close(): void {
    this.#isOver = true;
    for (const [step, { calledNext }] of [...this.#open].reverse()) {
      this.#append(step, calledNext, [], 'The call was cancelled.');
    }
    this.#open.clear();
  }

  #from(index: number, args: JsonObject, round: string): Promise<ToolResult> {
    const { step, layers } = this.#call;
    const placed = layers[index];
    if (placed) return this.#layer(placed, index, args, round);
    return this.#call.call(args, brandAs<StepKey>(`${step}${round}`), { layers, isOver: () => this.#isOver });
  }

  async #layer({ layer, place }: PlacedLayer, index: number, args: JsonObject, round: string): Promise<ToolResult> {
    const step = brandAs<StepKey>(`${this.#call.step}${round}.h${place}`);
    const open = this.#begin(layer, step);
    let calls = 0;
    let isOver = false;
    let fault: string | undefined;
    let below: Promise<ToolResult> | undefined;
    let passed = args;
    let answered: ToolResult | undefined;

    const next = (nextArgs: JsonObject): Promise<ToolResult> => {
      const name = `Hook '${layer.name}'`;
      if (isOver || this.#isOver) return Promise.resolve(hookFailed(`${name} called next after it had ended.`));
      if (calls >= layer.maxNext) {
        fault = `next was called ${calls + 1} times`;
        return Promise.resolve(hookFailed(`${name} called next more than once.`));
      }
      calls += 1;
      open.calledNext = true;
      passed = nextArgs;
      answered = undefined;
      below = this.#from(index + 1, nextArgs, calls === 1 ? round : `${round}.r${calls}`).then((result) => {
        answered = result;
        return result;
      });
      return below;
    };

    let outcome = await this.#ask(layer, step, args, next);
    isOver = true;
    if (below && !answered) {
      if (!this.#isOver) {
        const message = `Hook '${layer.name}' ended before what it called had. Await the call of next.`;
        this.#call.instance.run.log(
          { level: 'warning', code: 'hook_left_early', message },
          this.#call.instance.spec.path,
          step,
        );
      }
      await below;
    }
    if (fault !== undefined) outcome = { ok: false, message: fault };
    const [before, error] = [answered, outcome.ok ? undefined : outcome.message];
    if (outcome.ok) {
      this.#end(step, calls > 0, this.#changes(args, passed, calls > 0, before, outcome.result));
      return outcome.result;
    }
    if (layer.onError === 'skip') {
      this.#end(step, calls > 0, this.#changes(args, passed, calls > 0, before, before), error);
      // As if it were not there: what was asked already is not asked again.
      return before ?? this.#from(index + 1, args, round);
    }
    // A code host names the hook itself.
    const why = outcome.message.replace(`${layer.name}: `, '');
    const result = hookFailed(`Error: Hook '${layer.name}' failed: ${why}`);
    this.#end(step, calls > 0, this.#changes(args, passed, calls > 0, before, result), error);
    return result;
  }

  async #ask(
    layer: HookLayer,
    step: StepKey,
    args: JsonObject,
    next: (args: JsonObject) => Promise<ToolResult>,
  ): Promise<HookOutcome> {
    const { run, spec, scope } = this.#call.instance;
    try {
      return await layer.around({
        context: this.#call.context,
        path: spec.path,
        args,
        next,
        signal: scope.signal,
        clock: run.ports.clock,
        log: (body) => {
          if (!this.#isOver) run.log(body, spec.path, step);
        },
      });
    } catch (error) {
      return { ok: false, message: thrownMessage(error) };
    }
  }

  #changes(
    args: JsonObject,
    passed: JsonObject,
    calledNext: boolean,
    before: ToolResult | undefined,
    after: ToolResult | undefined,
  ): HookChange[] {
    const changes: HookChange[] = [];
    const { layers } = this.#call;
    const onArguments = calledNext
      ? argumentsChange(args, passed, (value) => scrubbedArguments(layers, value))
      : undefined;
    if (onArguments) changes.push(onArguments);
    const onResult = after && resultChange(before, after, (value) => scrubbedResult(layers, value));
    if (onResult) changes.push(onResult);
    return changes;
  }

  #begin(layer: HookLayer, step: StepKey): { calledNext: boolean } {
    const open = { calledNext: false };
    if (this.#isOver) return open;
    const { run, spec } = this.#call.instance;
    this.#open.set(step, open);
    run.ports.events.append({
      kind: 'hook.started',
      path: spec.path,
      step,
      attempt: run.journal.nextAttempt(step),
      hook: layer.name,
      phase: 'around',
      around: this.#call.step,
    });
    return open;
  }

  #end(step: StepKey, calledNext: boolean, changes: readonly HookChange[], error?: string): void {
    if (this.#isOver) return;
    this.#open.delete(step);
    this.#append(step, calledNext, changes, error);
  }

  #append(step: StepKey, calledNext: boolean, changes: readonly HookChange[], error: string | undefined): void {
    const { run, spec } = this.#call.instance;
    const shown = changes.map((change) => ({
      ...change,
      before: run.recordable(change.before),
      after: run.recordable(change.after),
    }));
    run.ports.events.append({ kind: 'hook.ended', path: spec.path, step, calledNext, changes: shown, error });
  }
}

function hookFailed(message: string): ToolResult {
  return errorResult('HOOK_FAILED', message);
}
