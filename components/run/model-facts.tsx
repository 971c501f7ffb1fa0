import type { StopReason } from '@/lib/runtime/record/messages';
import { addCost, formatCost, nameWithPrice, noCost } from '@/lib/trace/cost';
import { tokensPerSecond } from '@/lib/trace/figures';
import { retriesOf } from '@/lib/trace/retries';
import type { ShortEvent } from '@/lib/trace/short-event';
import { spanName, type Trace } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

/** Shows how a model call went: its first token, speed, cost, end and requests, as terms of a list. */
export function ModelFacts(props: {
  readonly event: Extract<ShortEvent, { kind: 'model.ended' }>;
  readonly trace: Trace;
  readonly span: number;
  /** How long the call took, in microseconds. */
  readonly duration: number;
}) {
  const { event, trace, span, duration } = props;
  const { usage, firstTokenMs, message, requests } = event;
  const speed = tokensPerSecond(usage.outputTokens, duration, firstTokenMs);
  return (
    <>
      {firstTokenMs !== undefined && (
        <>
          <dt>First token</dt>
          <dd>after {formatDuration(firstTokenMs * 1_000)}</dd>
        </>
      )}
      {speed !== undefined && (
        <>
          <dt>Speed</dt>
          <dd>{speed.toLocaleString('en-US', { maximumSignificantDigits: 3 })} tokens a second</dd>
        </>
      )}
      {(usage.inputTokens + usage.outputTokens > 0 || usage.recorded !== undefined) && (
        <>
          <dt>Cost</dt>
          <dd>{formatCost(addCost(noCost, usage, nameWithPrice(spanName(trace, span), trace.run.askedAs)))}</dd>
        </>
      )}
      {message !== undefined && (
        <>
          <dt>Ended with</dt>
          <dd>{stopWords[message.stopReason]}</dd>
        </>
      )}
      {requests > 1 && (
        <>
          <dt>Requests</dt>
          <dd>
            {requests}
            {retriesOf(trace, span).map(({ seq, at, message }) => (
              <span key={seq} className="block text-muted">
                after {formatDuration(at - trace.spans.start.at(span))}: {message}
              </span>
            ))}
          </dd>
        </>
      )}
    </>
  );
}

const stopWords: Readonly<Record<StopReason, string>> = {
  end_turn: 'its answer',
  tool_use: 'tool calls',
  max_tokens: 'the limit of output tokens',
  stop_sequence: 'a stop sequence',
  safety: 'a refusal: the provider withheld the answer',
};
