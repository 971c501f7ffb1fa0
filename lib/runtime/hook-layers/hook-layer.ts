import type { Clock } from '@/lib/base/clock';
import type { InstancePath } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { CodeRef } from '@/lib/cards/card';
import type { CallIdentity } from '@/lib/cards/hook-when';
import type { HookContext, HookOutcome, LogBody, NextLayer } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

/** The call a layer is asked to handle. */
export interface LayerCall {
  readonly context: HookContext;
  /** The instance that makes the call. */
  readonly path: InstancePath;
  readonly args: JsonObject;
  /** True if the result of an equal call may answer this one. It may not for built-in tools, sessions and samples of a vote. */
  readonly mayReuse: boolean;
  /** False once the tool has written to the state of its caller, so that its result must not answer an equal call. */
  mayKeep(): boolean;
  /** Runs the layers below this one and the tool, or the tool alone. Never rejects. */
  readonly next: NextLayer;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Must be called before a wait. The call releases its permit until its tool starts. */
  noteWait(): void;
  log(body: LogBody): void;
  /** The arguments and the result as they may be recorded: without what hooks and settings hide. */
  readonly shown: { arguments(args: JsonObject): Json; result(result: ToolResult): string };
}

/** `cached` is the result of an equal call, if the layer answered with one. */
export type LayerOutcome = HookOutcome & { readonly cached?: true };

/**
 * One layer of a chain: code behind a port, or a declarative hook. A layer that throws counts as a hook that raised. A
 * layer keeps its own state between calls, so one object serves all calls of its run or agent.
 */
export interface HookLayer {
  /** The name in events. It is the reference of a code hook, or the kind of a declarative hook. */
  readonly name: string;
  /** The code of a code hook. */
  readonly code?: CodeRef;
  readonly onError: 'fail' | 'skip';
  /** How often the layer may call `next`: once, unless it retries. */
  readonly maxNext: number;
  /** True if the layer wraps such a call. `names` are further names of the tool, such as the one that the model sees. */
  matches(identity: CallIdentity, names: readonly string[]): boolean;
  around(call: LayerCall): LayerOutcome | Promise<LayerOutcome>;
  /** Removes what this layer hides from what is recorded of a call. */
  readonly scrub?: {
    readonly arguments?: (args: JsonObject) => JsonObject;
    readonly result?: (result: ToolResult) => ToolResult;
  };
}

/**
 * A layer with its place in the whole chain, counted from 1. The place is part of its step keys and does not depend on
 * `when`.
 */
export interface PlacedLayer {
  readonly layer: HookLayer;
  readonly place: number;
}

/** Returns the arguments without the values that the layers hide. */
export function scrubbedArguments(layers: readonly PlacedLayer[], args: JsonObject): JsonObject {
  return layers.reduce((clean, { layer }) => layer.scrub?.arguments?.(clean) ?? clean, args);
}

export function scrubbedResult(layers: readonly PlacedLayer[], result: ToolResult): ToolResult {
  return layers.reduce((clean, { layer }) => layer.scrub?.result?.(clean) ?? clean, result);
}
