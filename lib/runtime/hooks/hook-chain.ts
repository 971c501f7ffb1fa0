import type { CallId, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import {
  type HookLayer,
  type LayerOutcome,
  type PlacedLayer,
  scrubbedArguments,
  scrubbedResult,
} from '@/lib/runtime/hook-layers/hook-layer';

import type { HookContext } from '@/lib/runtime/ports';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { withEditedText } from '@/lib/runtime/record/result-text';
import { keyInCall, retryOf } from '@/lib/runtime/record/step-key';
import { cancelledResult, errorResult, thrownMessage } from '@/lib/runtime/record/tool-error';
import { argumentsChange, type HookChange, resultChange } from './hook-changes';
import type { HookedInstance } from './hooked-instance';

/**
 * One tool call and the hooks that wrap it; the first declared is the outermost.
 *
 *   model ▶ h1 ▶ h2 ▶ tool          steps    #t7        the call, as the model asked and as it reads the answer
 *   model ◀ h1 ◀ h2 ◀ tool                   #t7.h1     the first layer; its number is its place in the whole chain
 *                                            #t7.r2.h2  the second layer, run again by a layer that retries
 *
 * A layer's result counts only when the layers below it have ended, so that nothing of a call outlives it. A layer that
 * does not wait for them, or calls `next` after its end, is reported in the log.
 */
export interface ChainedCall {
  readonly instance: HookedInstance;
  /** The layers that match the call. */
  readonly layers: readonly PlacedLayer[];
  /** The places of layers that a rule of the team demands. A layer that runs the tool itself does not go past them. */
  readonly demanded: ReadonlySet<number>;
  readonly step: StepKey;
  readonly callId: CallId;
  readonly context: HookContext;
  readonly args: JsonObject;
  /** Runs the tool. `key` identifies this execution. Must not reject. */
  call(args: JsonObject, key: StepKey, chain: ChainView): Promise<ToolResult>;
  /** True if the result of an equal call may answer this one. */
  readonly mayReuse: boolean;
  /** False once the call has done more than answer, so that its result must not answer an equal one. */
  mayKeep(): boolean;
  /** Called when a layer waits for something other than the layers below it. */
  noteWait(): void;
}

/** What the tool at the end of the chain may ask about the chain. */
export interface ChainView {
  readonly layers: readonly PlacedLayer[];
  /** True once the call has ended and nothing more of it is recorded. */
  isOver(): boolean;
}

export interface ChainEnd {
  readonly result: ToolResult;
  /** True if a layer answered with the cached result of an equal call, and the tool did not run. */
  readonly cached: boolean;
}

/** Runs the chain to its end. If the instance is cancelled, open hooks are closed and later results are ignored. */
export async function runChain(call: ChainedCall): Promise<ChainEnd> {
  const chain = new Chain(call);
  const result = await call.instance.scope.race(chain.from(0, call.args, ''), () => cancelledResult);
  chain.close();
  return { result, cached: chain.cached };
}

class Chain implements ChainView {
  readonly call: ChainedCall;
  /** Layers that have started and not ended, outermost first. */
  private readonly open: LayerRun[] = [];
  private over = false;
  /** True if the last pass through the chain ended in a cached result. */
  cached = false;

  constructor(call: ChainedCall) {
    this.call = call;
  }

  get layers(): readonly PlacedLayer[] {
    return this.call.layers;
  }

  isOver(): boolean {
    return this.over;
  }

  /** Runs the layers from `index` on and the tool. `keyInCall` explains `retries`. */
  from(index: number, args: JsonObject, retries: string): Promise<ToolResult> {
    const placed = this.layers[index];
    this.cached = false;
    if (!placed) return this.call.call(args, keyInCall(this.call.step, retries), this);
    return new LayerRun(this, placed, index, args, retries).run();
  }

  /** Returns where a layer that runs the tool itself goes on: at the first demanded layer from `index` on, or at the tool. */
  toolFrom(index: number): number {
    const { layers, demanded } = this.call;
    const at = layers.findIndex(({ place }, each) => each >= index && demanded.has(place));
    return at < 0 ? layers.length : at;
  }

  /** Ends the call: hooks that are still open get an end in the log. */
  close(): void {
    this.over = true;
    for (const layerRun of this.open.reverse()) this.appendEnd(layerRun, [], 'The call was cancelled.');
  }

  noteBegin(layerRun: LayerRun): void {
    if (this.over) return;
    const { run, spec } = this.call.instance;
    this.open.push(layerRun);
    run.ports.events.append({
      kind: 'hook.started',
      path: spec.path,
      step: layerRun.step,
      attempt: run.journal.nextAttempt(layerRun.step),
      hook: layerRun.layer.name,
      phase: 'around',
      around: this.call.step,
    });
  }

  noteEnd(layerRun: LayerRun, changes: readonly HookChange[], error?: string): void {
    if (this.over) return;
    this.open.splice(this.open.lastIndexOf(layerRun), 1);
    this.appendEnd(layerRun, changes, error);
  }

  private appendEnd(layerRun: LayerRun, changes: readonly HookChange[], error: string | undefined): void {
    const { run, spec } = this.call.instance;
    const shown = changes.map((change) => ({
      ...change,
      before: run.recordable(change.before),
      after: run.recordable(change.after),
    }));
    const { step, calledNext, waited } = layerRun;
    run.ports.events.append({
      kind: 'hook.ended',
      path: spec.path,
      step,
      calledNext,
      ...(waited && { next: waited }),
      changes: shown,
      error,
    });
  }
}

/** One execution of a layer. */
class LayerRun {
  readonly layer: HookLayer;
  readonly step: StepKey;
  private readonly chain: Chain;
  private readonly index: number;
  private readonly args: JsonObject;
  private readonly retries: string;
  private calls = 0;
  /** When the layer began, when it first called `next`, and how long the calls of `next` that have ended took. */
  private readonly beganAt: number;
  private nextAt: number | undefined;
  private belowMs = 0;
  private belowSince: number | undefined;
  private isOver = false;
  private fault: string | undefined;
  /** The last execution of the layers below, with its arguments and its result. */
  private below: Promise<ToolResult> | undefined;
  private passed: JsonObject;
  private answered: ToolResult | undefined;

  constructor(chain: Chain, { layer, place }: PlacedLayer, index: number, args: JsonObject, retries: string) {
    this.chain = chain;
    this.layer = layer;
    this.index = index;
    this.args = args;
    this.passed = args;
    this.retries = retries;
    this.step = keyInCall(chain.call.step, retries, place);
    this.beganAt = this.now();
  }

  get calledNext(): boolean {
    return this.calls > 0;
  }

  /** The time that the layer waited for the layers below, as events have it; `undefined` if it called none. */
  get waited(): { readonly afterMs: number; readonly ms: number } | undefined {
    if (this.nextAt === undefined) return undefined;
    const open = this.belowSince === undefined ? 0 : this.now() - this.belowSince;
    return { afterMs: wholeMicroseconds(this.nextAt - this.beganAt), ms: wholeMicroseconds(this.belowMs + open) };
  }

  private now(): number {
    return this.chain.call.instance.run.ports.clock.now();
  }

  async run(): Promise<ToolResult> {
    const { chain, layer } = this;
    chain.noteBegin(this);
    let outcome = await this.ask();
    this.isOver = true;
    if (this.below && !this.answered) {
      this.noteEarlyEnd();
      await this.below;
    }
    if (this.fault !== undefined) outcome = { ok: false, message: this.fault };
    const { answered } = this;
    if (outcome.ok) {
      if (outcome.cached) chain.cached = true;
      const result = withMeta(withEditedText(answered, outcome.result), answered);
      chain.noteEnd(this, this.changes(result));
      return result;
    }
    if (layer.onError === 'skip') {
      chain.noteEnd(this, this.changes(answered), outcome.message);
      // The hook is skipped. If the layers below have run already, they do not run again.
      return answered ?? chain.from(this.index + 1, this.args, this.retries);
    }
    // A message from the code host begins with the hook's name, which is removed here.
    const why = outcome.message.replace(`${layer.name}: `, '');
    const result = hookFailed(`Error: Hook '${layer.name}' failed: ${why}`);
    chain.noteEnd(this, this.changes(result), outcome.message);
    return result;
  }

  private async ask(): Promise<LayerOutcome> {
    const { context, instance } = this.chain.call;
    const { run, spec, scope } = instance;
    const { layers } = this.chain;
    try {
      return await this.layer.around({
        context,
        path: spec.path,
        args: this.args,
        next: (args, to) => this.next(args, to),
        signal: scope.signal,
        clock: run.ports.clock,
        mayReuse: this.chain.call.mayReuse,
        mayKeep: () => this.chain.call.mayKeep(),
        noteWait: this.chain.call.noteWait,
        log: (body) => {
          if (!this.chain.isOver()) run.log(body, spec.path, this.step);
        },
        shown: {
          arguments: (args) => run.recordable(scrubbedArguments(layers, args)),
          result: (result) => textOf(scrubbedResult(layers, result).content),
        },
      });
    } catch (error) {
      return { ok: false, message: thrownMessage(error) };
    }
  }

  private next(args: JsonObject, to: 'chain' | 'tool' = 'chain'): Promise<ToolResult> {
    const { chain, layer } = this;
    if (this.isOver || chain.isOver()) {
      return Promise.resolve(hookFailed(`Hook '${layer.name}' called next after it had ended.`));
    }
    if (this.calls >= layer.maxNext) {
      this.fault = `next was called ${this.calls + 1} times`;
      return Promise.resolve(hookFailed(`Hook '${layer.name}' called next more than once.`));
    }
    this.calls += 1;
    this.belowSince = this.now();
    this.nextAt ??= this.belowSince;
    this.passed = args;
    this.answered = undefined;
    const retries = retryOf(this.retries, this.calls);
    this.below = this.keep(chain.from(to === 'tool' ? chain.toolFrom(this.index + 1) : this.index + 1, args, retries));
    return this.below;
  }

  private async keep(below: Promise<ToolResult>): Promise<ToolResult> {
    this.answered = await below;
    if (this.belowSince !== undefined) this.belowMs += this.now() - this.belowSince;
    this.belowSince = undefined;
    return this.answered;
  }

  private noteEarlyEnd(): void {
    if (this.chain.isOver()) return;
    const { run, spec } = this.chain.call.instance;
    const message = `Hook '${this.layer.name}' ended before its call of next did. Await that call.`;
    run.log({ level: 'warning', code: 'hook_left_early', message }, spec.path, this.step);
  }

  /** Returns what the layer changed in the arguments that it passed on, and in the result that it got. */
  private changes(result: ToolResult | undefined): readonly HookChange[] {
    const { args, passed, answered } = this;
    if ((!this.calledNext || args === passed) && answered === result) return noChanges;
    const { layers } = this.chain;
    const onArguments = this.calledNext
      ? argumentsChange(args, passed, (value) => scrubbedArguments(layers, value))
      : undefined;
    const onResult = result && resultChange(answered, result, (value) => scrubbedResult(layers, value));
    return [...(onArguments ? [onArguments] : []), ...(onResult ? [onResult] : [])];
  }
}

const noChanges: readonly HookChange[] = [];

/** Rounds milliseconds to whole microseconds. A clock set back gives no negative time. */
function wholeMicroseconds(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000);
}

/** Keeps `meta`, the effects of the call, when a hook replaced the result. */
function withMeta(result: ToolResult, answered: ToolResult | undefined): ToolResult {
  return answered?.meta && !result.meta ? { ...result, meta: answered.meta } : result;
}

function hookFailed(message: string): ToolResult {
  return errorResult('HOOK_FAILED', message);
}
