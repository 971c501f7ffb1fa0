import type { CorrelationId, InstancePath, StepKey } from '@/lib/base/ids';
import type { Message, ToolCall } from '@/lib/runtime/record/messages';
import type { ChildRoute } from './child-route';

/**
 * A call of a child with its number, ids, limits and history. None of these may depend on timing, because a resumed run
 * must compute the same ones.
 */
export interface Delegation {
  readonly route: ChildRoute;
  readonly call: ToolCall;
  readonly step: StepKey;
  /** The `i` of `Child[i]`. */
  readonly index: number;
  /** The path of the first instance tried. */
  readonly path: InstancePath;
  readonly correlationId: CorrelationId;
  readonly depth: number;
  readonly maxDepth: number;
  readonly history: readonly Message[];
}
