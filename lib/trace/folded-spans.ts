import { isRecord, type Json } from '@/lib/base/json';
import type { ImportedFrom } from '@/lib/runtime/record/events';
import type { SpanStatus } from './span';
import type { Trace } from './trace';

/** The member of `imported.attributes` with the spans of a framework that an import folded into a step. */
export const foldedSpansKey = 'folded_spans';

/** The title under which the selection of a step lists them. */
export const foldedSpansTitle = 'Spans of the framework';

/** The code of the line of the log that says how many spans an import folded. */
export const foldedSpansCode = 'spans_folded';

/** True if an import folded spans of this run. */
export function hasFoldedSpans({ logs }: Pick<Trace, 'logs'>): boolean {
  return logs.some(({ code }) => code === foldedSpansCode);
}

/** A span that an import folded into a step. */
export interface FoldedSpan {
  /** The id of the span in the source. */
  readonly id: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly start: number;
  /** Milliseconds. `undefined` if the source has no end. */
  readonly ms: number | undefined;
  readonly status: Extract<SpanStatus, 'ok' | 'error' | 'timeout' | 'cancelled'>;
}

/** By the `outcome` of the import, which a span that went well has not. */
const statuses: Readonly<Record<string, FoldedSpan['status']>> = {
  failed: 'error',
  timeout: 'timeout',
  cancelled: 'cancelled',
};

/** Returns the spans that were folded into the step of an event. */
export function foldedSpansOf(imported: ImportedFrom | undefined): readonly FoldedSpan[] {
  const list = imported?.attributes[foldedSpansKey];
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: Json) => {
    if (!isRecord(one) || typeof one.span_id !== 'string' || typeof one.name !== 'string') return [];
    if (typeof one.start !== 'number') return [];
    const ms = typeof one.ms === 'number' ? one.ms : undefined;
    const status = (typeof one.outcome === 'string' ? statuses[one.outcome] : undefined) ?? 'ok';
    return [{ id: one.span_id, name: one.name, start: one.start, ms, status }];
  });
}
