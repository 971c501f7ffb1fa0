import type { StopReason } from '@/lib/runtime/record/messages';
import { type AskedAs, addCost, formatCost, nameWithPrice, noCost } from '@/lib/trace/cost';
import { tokensPerSecond } from '@/lib/trace/figures';
import type { ShortEvent } from '@/lib/trace/short-event';
import { formatDuration } from '@/lib/trace/wording';

/** Shows how a model call went: its first token, speed, cost, end and requests, as terms of a list. */
export function ModelFacts(props: {
  readonly event: Extract<ShortEvent, { kind: 'model.ended' }>;
  readonly model: string;
  readonly askedAs: AskedAs;
  /** How long the call took, in microseconds. */
  readonly duration: number;
}) {
  const { event, model, askedAs, duration } = props;
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
      {usage.inputTokens + usage.outputTokens > 0 && (
        <>
          <dt>Cost</dt>
          <dd>{formatCost(addCost(noCost, usage, nameWithPrice(model, askedAs)))}</dd>
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
          <dd>{requests}, because some were repeated</dd>
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
