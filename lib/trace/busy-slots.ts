import type { FreeSlots } from './free-slots';
import { isLine } from './span';
import type { Lane, Trace } from './trace';

/**
 * True for spans that need a sub-row because several may overlap: setups, tools that are not delegations, and questions that are
 * not drawn over such a tool.
 */
export function holdsSlot({ spans }: Trace, span: number): boolean {
  const kind = spans.kindOf(span);
  const isTool = (of: number) => spans.kindOf(of) === 'tool' && spans.sourceOf(of) !== 'agent';
  return kind === 'setup' || isTool(span) || (kind === 'waiting' && !isTool(spans.parent.at(span)));
}

/** Returns the sub-rows in use (for tools and setups) or lines in use (for hooks and spans of a framework) of a span's lane. */
export function slotsOf(trace: Trace, span: number, lane: Lane): FreeSlots | undefined {
  if (isLine(trace.spans.kindOf(span))) return lane.busyHooks;
  return holdsSlot(trace, span) ? lane.busySlots : undefined;
}
