import type { Usage } from '@/lib/runtime/record/messages';
import { isLineCode, kindCodes, statusCodes } from './span';
import { type SpanTable, sourceCodes } from './span-table';

/** What spans add up to, by lane. The place after the last lane holds the sum of all. Arrays, because each seek fills them. */
export class MomentSums {
  /** The highest number of an event that ended a span. */
  latestSeq = 0;
  private length = 0;
  private slots = new Uint32Array(0);
  private hookSlots = new Uint32Array(0);
  private errors = new Uint32Array(0);
  /** Five numbers for each lane, in the order of `Usage`. */
  private usage = new Float64Array(0);

  clear(lanes: number): void {
    if (this.slots.length < lanes) {
      this.slots = new Uint32Array(lanes * 2);
      this.hookSlots = new Uint32Array(lanes * 2);
      this.errors = new Uint32Array(lanes * 2);
    }
    if (this.usage.length < (lanes + 1) * 5) this.usage = new Float64Array((lanes + 1) * 10);
    this.slots.fill(1, 0, lanes);
    this.hookSlots.fill(0, 0, lanes);
    this.errors.fill(0, 0, lanes);
    this.usage.fill(0, 0, (lanes + 1) * 5);
    this.latestSeq = 0;
    this.length = lanes;
  }

  /** Counts the sub-row or line of a span that had begun. */
  addSlot(spans: SpanTable, span: number, lane: number): void {
    const kind = spans.kind.data[span];
    const needs =
      kind === kindCodes.setup ||
      kind === kindCodes.waiting ||
      (kind === kindCodes.tool && spans.source.data[span] !== sourceCodes.agent);
    const used = isLineCode(kind) ? this.hookSlots : needs ? this.slots : undefined;
    if (used === undefined) return;
    const slot = (spans.slot.data[span] ?? 0) + 1;
    if (slot > (used[lane] ?? 0)) used[lane] = slot;
  }

  /**
   * Counts the failure and the tokens of a span that had ended. A step that ended with the run did not fail of itself, and the
   * failure of a call in `explained` is that of its child.
   */
  addEnded(spans: SpanTable, span: number, lane: number, explained: ReadonlySet<number>): void {
    const seq = spans.endSeq.data[span] ?? 0;
    if (seq > this.latestSeq) this.latestSeq = seq;
    const kind = spans.kind.data[span];
    if (kind === kindCodes.instance || kind === kindCodes.queued || kind === kindCodes.waiting) return;
    const status = spans.status.data[span];
    if (seq !== 0 && (status === statusCodes.error || status === statusCodes.timeout) && !explained.has(span)) {
      this.errors[lane] = (this.errors[lane] ?? 0) + 1;
    }
    if (kind !== kindCodes.model || seq === 0) return;
    this.addUsage(lane * 5, spans, span);
    this.addUsage(this.length * 5, spans, span);
  }

  private addUsage(at: number, spans: SpanTable, span: number): void {
    const { usage } = this;
    usage[at] = (usage[at] ?? 0) + spans.inputTokens.at(span);
    usage[at + 1] = (usage[at + 1] ?? 0) + spans.outputTokens.at(span);
    usage[at + 2] = (usage[at + 2] ?? 0) + spans.cachedTokens.at(span);
    usage[at + 3] = (usage[at + 3] ?? 0) + spans.reasoningTokens.at(span);
    usage[at + 4] = (usage[at + 4] ?? 0) + 1;
  }

  slotsOf(lane: number): number {
    return this.slots[lane] ?? 1;
  }

  hookSlotsOf(lane: number): number {
    return this.hookSlots[lane] ?? 0;
  }

  errorsOf(lane: number): number {
    return this.errors[lane] ?? 0;
  }

  /** Returns the usage of a lane's model calls; with the number of lanes, that of all. */
  usageOf(lane: number): Usage {
    const { usage } = this;
    const at = lane * 5;
    return {
      inputTokens: usage[at] ?? 0,
      outputTokens: usage[at + 1] ?? 0,
      cachedInputTokens: usage[at + 2] ?? 0,
      reasoningTokens: usage[at + 3] ?? 0,
      modelCalls: usage[at + 4] ?? 0,
    };
  }
}
