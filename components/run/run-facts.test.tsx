import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EventCache } from '@/lib/client/event-cache';
import type { RunInfo } from '@/lib/client/run-info';
import { noUsage } from '@/lib/runtime/record/messages';
import { fold } from '@/lib/testing/trace-log';
import { LiveSaid } from './live-said';
import { RunFacts } from './run-facts';
import type { LiveTrace } from './use-run';

test('the header has the cost that was recorded, also without tokens, and none where nothing was used', () => {
  const run: LiveTrace = {
    ...{ phase: 'loading', trace: fold([]), version: 1, error: undefined, replaced: 0, now: () => 0 },
    ...{ cache: new EventCache(async () => []), previews: new EventCache(async () => []), said: new LiveSaid() },
  };
  const costOf = (usd: number | undefined) => {
    const tokens = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 };
    const usage = { ...noUsage, ...(usd !== undefined && { recorded: { ...tokens, usd } }) };
    const info: RunInfo = {
      ...{ id: 'a', projectId: 'p', projectName: 'P', status: 'completed', entryAgent: 'lead', message: 'Go' },
      ...{ correlationId: 'a', source: 'opentelemetry', scripted: false, createdAt: 0, startedAt: 0, finishedAt: 0 },
      ...{ model: undefined, answer: undefined, error: undefined, treeHash: 't' },
      ...{ usage, modelUsage: { 'gpt-5': usage } },
    };
    const html = renderToStaticMarkup(<RunFacts run={run} status="completed" info={info} />);
    return /Cost <\/span>([^<]*)/.exec(html)?.[1];
  };
  expect(costOf(1.25)).toBe('$1.25');
  expect(costOf(undefined)).toBeUndefined();
});
