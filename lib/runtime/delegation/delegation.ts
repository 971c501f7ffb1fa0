import type { CorrelationId, InstancePath, StepKey } from '@/lib/base/ids';
import type { Message, ToolCall } from '@/lib/runtime/record/messages';
import type { ChildRoute } from './child-route';

/** A call of a child with what must not depend on what runs first: its number, its ids, its limits, its history. */
export interface Delegation {
  readonly route: ChildRoute;
  readonly call: ToolCall;
  readonly step: StepKey;
  /** The `i` of `Child[i]`. */
  readonly index: number;
  /** Of the first instance tried. */
  readonly path: InstancePath;
  readonly correlationId: CorrelationId;
  readonly depth: number;
  readonly maxDepth: number;
  readonly history: readonly Message[];
}
