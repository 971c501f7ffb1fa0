/**
 * Where a bar is inside its row, in CSS pixels from the row's top. Calls and hooks for which a row has no place are counted
 * instead (./hidden-calls), so that none is painted over another unseen.
 *
 *   24 px   sub-rows for tools that overlap, lines for hooks, then the counts, then the marks of decisions
 *   12 px   one track for model calls and tools, a line for hooks
 *    2 px   one track, no hooks
 */
import {
  barsRoom,
  countRoom,
  decisionRoom,
  hookLinePx,
  hookRoom,
  type LaneHeight,
  mostHookLines,
  mostSlots,
} from '@/lib/trace/lanes';
import { isLineCode, kindCodes } from '@/lib/trace/span';
import { sourceCodes } from '@/lib/trace/span-table';
import type { Lane } from '@/lib/trace/trace';

export interface Place {
  readonly top: number;
  readonly height: number;
}

export const padPx = 3;
const insetPx = 2;
const hookPx = 3;
export const delegationPx = 3;

const thin = {
  whole: { top: 1, height: 10 },
  step: { top: 2, height: 8 },
  line: { top: 5, height: 2 },
  hook: { top: 9, height: 2 },
};
const line = { top: 0, height: 2 };

/** Returns the place of a bar, or `undefined` if the row has none for it. `kind` and `source` are as in the columns. */
export function barPlace(
  lane: Lane,
  kind: number,
  source: number,
  slot: number,
  height: LaneHeight,
): Place | undefined {
  if (height === 24) return fullPlace(lane, kind, source, slot);
  if (kind === kindCodes.instance || kind === kindCodes.queued || kind === kindCodes.decision)
    return height === 2 ? line : thin.whole;
  if (kind === kindCodes.model) return height === 2 ? line : thin.step;
  if (kind === kindCodes.tool && source === sourceCodes.agent) return height === 2 ? line : thin.line;
  if (slot > 0) return undefined;
  if (isLineCode(kind)) return height === 2 ? undefined : thin.hook;
  return height === 2 ? line : thin.step;
}

function fullPlace(lane: Lane, kind: number, source: number, slot: number): Place | undefined {
  const inner = barsRoom(lane);
  if (kind === kindCodes.instance || kind === kindCodes.queued) {
    return { top: padPx, height: inner + hookRoom(lane) + countRoom(lane) + decisionRoom(lane) };
  }
  if (isLineCode(kind)) {
    return slot < mostHookLines ? { top: padPx + inner + slot * hookLinePx, height: hookPx } : undefined;
  }
  const room = inner - 2 * insetPx;
  if (kind === kindCodes.tool && source === sourceCodes.agent) {
    return { top: padPx + (inner - delegationPx) / 2, height: delegationPx };
  }
  const slots = Math.min(lane.slots, mostSlots);
  if (kind === kindCodes.model || slots === 1) return { top: padPx + insetPx, height: room };
  if (slot >= mostSlots) return undefined;
  const each = Math.floor(room / slots);
  return { top: padPx + insetPx + slot * each, height: each - 1 };
}

/** Returns the y of the strip of counts in a row. */
export function countTop(lane: Lane, height: LaneHeight): number {
  return height === 24 ? padPx + barsRoom(lane) + hookRoom(lane) : 0;
}

/** Returns the y of the strip of decisions in a full row. */
export function decisionTop(lane: Lane): number {
  return padPx + barsRoom(lane) + hookRoom(lane) + countRoom(lane);
}
