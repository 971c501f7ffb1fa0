import * as z from 'zod/mini';
import { decodeTrace } from '@/lib/trace/columns';
import type { RecordedCall } from '@/lib/trace/recorded-call';
import type { SpanStatus } from '@/lib/trace/span';
import { spanDetail, spanName, type Trace } from '@/lib/trace/trace';
import { getJson } from './ask-shape';
import { httpRunSource } from './run-source';

/** A call of a run as a list shows it. */
export interface ListedCall {
  /** The number of its first event. */
  readonly seq: number;
  readonly agent: string;
  /** The instance, such as `writer[2]`. */
  readonly instance: string;
  readonly tool: string;
  readonly server: string;
  readonly status: SpanStatus;
  /** One line of its arguments. */
  readonly preview: string;
}

/** A list has at most this many calls, the first ones of the run. */
export const mostListedCalls = 200;

/** Whose calls are listed: those of an agent, of all its tools or of one. */
export interface WantedCalls {
  readonly agent: string;
  readonly tool?: string | undefined;
}

/** Lists the first such calls in a run. Rejects with a sentence that users may see. */
export async function listCalls(
  runId: string,
  wanted: WantedCalls,
  signal: AbortSignal,
): Promise<readonly ListedCall[]> {
  const source = httpRunSource(runId);
  const { bytes } = await source.loadTrace(signal);
  const calls = callsOf(decodeTrace(bytes), wanted);
  const previews = new Map<number, string>();
  for (let start = 0; start < calls.length; start += previewsAtOnce) {
    const seqs = calls.slice(start, start + previewsAtOnce).map(({ seq }) => seq);
    for (const { seq, text } of await source.loadPreviews(seqs)) previews.set(seq, text);
  }
  return calls.map((call) => ({ ...call, preview: previews.get(call.seq) ?? '' }));
}

const previewsAtOnce = 100;

/** Returns the calls of an agent's instances, in the order in which they began. */
export function callsOf(trace: Trace, { agent, tool }: WantedCalls): readonly Omit<ListedCall, 'preview'>[] {
  const { spans } = trace;
  const found: Omit<ListedCall, 'preview'>[] = [];
  for (let span = 0; span < spans.length && found.length < mostListedCalls; span++) {
    if (spans.kindOf(span) !== 'tool') continue;
    const lane = trace.lanes[spans.lane.at(span)];
    if (lane?.agentName !== agent || (tool !== undefined && spanName(trace, span) !== tool)) continue;
    found.push({
      seq: spans.startSeq.at(span),
      agent,
      instance: lane.instanceName,
      tool: spanName(trace, span),
      server: spanDetail(trace, span),
      status: spans.statusOf(span),
    });
  }
  return found;
}

const call: z.ZodMiniType<RecordedCall> = z.object({
  tool: z.string(),
  source: z.enum(['mcp', 'function', 'agent', 'runtime']),
  server: z.optional(z.string()),
  arguments: z.json(),
  result: z.optional(z.json()),
});

/** Reads a call with its arguments and the answer of its tool. Rejects with a sentence that users may see. */
export async function readCall(runId: string, seq: number): Promise<RecordedCall> {
  return await getJson(`/api/v1/runs/${encodeURIComponent(runId)}/calls/${seq}`, call);
}
