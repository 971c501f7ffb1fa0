import { describe, expect, it } from 'vitest';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

describe('a run', () => {
  it('records one agent that answers, event by event', async () => {
    const model = scriptedModel({ solo: 'hello' });
    const { outcome, log } = await runGraph({ parsed: graphOf('solo'), model });
    const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
    expect(outcome).toEqual({ status: 'completed', answer: 'hello', error: undefined, usage });
    expect(log.map(({ kind }) => kind)).toEqual([
      'run.started',
      'instance.queued',
      'instance.started',
      'model.started',
      'model.ended',
      'instance.ended',
      'run.finished',
    ]);
    expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(model.requests[0]).toMatchObject({
      step: 'solo#m1',
      turn: 1,
      model: 'test-model',
      instruction: 'You are solo.',
    });
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'go' }] }]);
  });

  it('keeps the order of parallel calls, and one failure does not stop the others', async () => {
    const clock = fakeClock();
    const seen: string[] = [];
    const model = scriptedModel(
      {
        lead: (request) => {
          if (request.turn === 1) {
            return {
              calls: [
                { tool: 'agent__slow', arguments: { text: 'a' } },
                { tool: 'time__now' },
                { tool: 'agent__bad', arguments: { text: 'b' } },
                { tool: 'agent__fast', arguments: { text: 'c' } },
                { tool: 'agent__slow', arguments: { json: { n: 2 } } },
              ],
            };
          }
          const last = request.messages.at(-1);
          if (last?.role === 'tool') seen.push(...last.results.map(({ result }) => JSON.stringify(result.content[0])));
          return 'done';
        },
        slow: { text: 'slow', delayMs: 30 },
        bad: { error: { code: 'model_auth', message: 'no key' }, delayMs: 10 },
        fast: { text: 'fast', delayMs: 20 },
      },
      clock,
    );
    const tools = fakeTools({ time__now: () => 'noon' });
    const { outcome, log } = await runGraph({
      parsed: graphOf('lead > slow, bad, fast'),
      model,
      tools: { mcp: tools },
      clock,
    });
    expect(outcome.answer).toBe('done');
    expect(clock.now()).toBe(30);
    const bad = "Error: Agent 'bad' cannot answer: its model is not available.";
    expect(seen.map((text) => JSON.parse(text).text)).toEqual(['slow', 'noon', bad, 'fast', 'slow']);
    const queued = log.flatMap((event) => (event.kind === 'instance.queued' ? [event.path] : []));
    expect(queued).toEqual(['lead', 'lead/slow[1]', 'lead/bad[1]', 'lead/fast[1]', 'lead/slow[2]']);
  });
});
