import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { assert } from '@/lib/base/assert';
import { noUsage } from '@/lib/runtime/record/messages';
import { log, modelOff } from '@/lib/testing/trace-log';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { shortEvent } from '@/lib/trace/short-event';
import { ModelFacts } from './model-facts';

const tokens = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };

test('a call whose source recorded a cost and no tokens shows the cost', () => {
  const [ended] = log([0, modelOff('lead', 1)]);
  assert(ended?.kind === 'model.ended', 'the call ends');
  const event = shortEvent({ ...ended, usage: { ...noUsage, modelCalls: 1, recorded: { usd: 0.25, ...tokens } } });
  assert(event.kind === 'model.ended', 'the call ends');
  render(<ModelFacts event={event} trace={emptyTrace()} span={0} duration={5} />);
  expect(screen.getByText('Cost').nextSibling?.textContent).toBe('$0.25');
});
