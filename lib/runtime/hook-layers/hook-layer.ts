import type { Clock } from '@/lib/base/clock';
import type { InstancePath } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { HookContext, HookOutcome, LogBody, NextLayer } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

/** What decides which hooks are round a call. */
export type CallIdentity = Pick<HookContext, 'serverName' | 'toolName' | 'toolSource'>;

/** The call a layer is asked to handle. */
export interface LayerCall {
  readonly context: HookContext;
  /** The instance that makes the call. */
  readonly path: InstancePath;
  readonly args: JsonObject;
  /** Runs the layers under this one and the tool, or the tool alone. Never rejects. */
  readonly next: NextLayer;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** To be called before a wait: the call gives its permit back until its tool begins. */
  noteWait(): void;
  log(body: LogBody): void;
}

/** `cached`: the result is that of an equal call before. */
export type LayerOutcome = HookOutcome & { readonly cached?: true };

/**
 * One layer of a chain: code behind a port, or a declarative hook. What it throws counts as raised. It keeps what it must
 * remember between calls itself, so one object serves all calls of the run (or of the agent) that it belongs to.
 */
export interface HookLayer {
  /** As events name it: the spec of code, the kind of a declarative hook. */
  readonly name: string;
  readonly onError: 'fail' | 'skip';
  /** Calls of `next` it may make: 1 unless it tries again. */
  readonly maxNext: number;
  /** `offeredAs`: the tool's name as the model has it. */
  matches(identity: CallIdentity, offeredAs: string): boolean;
  around(call: LayerCall): LayerOutcome | Promise<LayerOutcome>;
  /** Takes out of what is recorded of a call the things this layer hides. */
  readonly scrub?: {
    readonly arguments?: (args: JsonObject) => JsonObject;
    readonly result?: (result: ToolResult) => ToolResult;
  };
}

/** A layer with its place in the whole chain, 1-based: part of its steps' keys, whatever `when` leaves out. */
export interface PlacedLayer {
  readonly layer: HookLayer;
  readonly place: number;
}

/** What of a call may be recorded, after the layers that hide things. */
export function scrubbedArguments(layers: readonly PlacedLayer[], args: JsonObject): JsonObject {
  return layers.reduce((clean, { layer }) => layer.scrub?.arguments?.(clean) ?? clean, args);
}

export function scrubbedResult(layers: readonly PlacedLayer[], result: ToolResult): ToolResult {
  return layers.reduce((clean, { layer }) => layer.scrub?.result?.(clean) ?? clean, result);
}
