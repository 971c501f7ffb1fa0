import type { RunEvent } from '@/lib/runtime/record/events';

/** What model calls have used. `unpricedCalls` counts those that used tokens of a model without a known price. */
export interface Spent {
  readonly usd: number;
  readonly tokens: number;
  readonly unpricedCalls: number;
}

/** Sums what the model calls that end in `events` have used. */
export function spentIn(events: readonly RunEvent[]): Spent {
  let [usd, tokens, unpricedCalls] = [0, 0, 0];
  for (const event of events) {
    if (event.kind !== 'model.ended') continue;
    const used = event.usage.inputTokens + event.usage.outputTokens;
    tokens += used;
    if (event.costUsd !== undefined) usd += event.costUsd;
    else if (used > 0) unpricedCalls += 1;
  }
  return { usd, tokens, unpricedCalls };
}
