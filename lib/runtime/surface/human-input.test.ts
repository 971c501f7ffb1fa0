import { describe, expect, it } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import type { Settings } from '@/lib/cards/settings';
import type { ModelRequest } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';

const refusal = 'Error: Nobody can be asked in this run. Continue with what you know, or say what is missing.';

const ask = { tool: '__human_input', arguments: { message: 'Which city?' } };
const silent = { tool: 'box__silent' };

/** Asks first and then repeats what it read. */
const repeats =
  (tool: { tool: string; arguments?: Record<string, unknown> }): TestScript =>
  (request) =>
    request.turn === 1 ? { calls: [tool] } : lastRead(request);

/** `lead` asks `mid`, who asks `kid`, who asks a person; each answers with what it read. */
async function runAsked(
  kid: TestScript,
  more: { readonly card?: Partial<AgentCard>; readonly delegations?: Settings['delegations'] } = {},
) {
  const model = scriptedModel({
    lead: repeats({ tool: 'agent__mid', arguments: { text: 'x' } }),
    mid: repeats({ tool: 'agent__kid', arguments: { text: 'x' } }),
    kid,
  });
  const { outcome, sink } = await runGraph({
    parsed: graphOf('lead > mid; mid > kid', {
      cards: { kid: { humanInput: true, ...more.card } },
      settings: { delegations: more.delegations ?? {} },
    }),
    model,
    tools: { mcp: fakeTools({ box__silent: () => ({ content: [], isError: false }) }) },
  });
  expect(model.unexpected).toEqual([]);
  // Nothing stays open: every lane and every call that has begun has ended.
  const begun = sink.of('instance.started').map(({ path }) => path);
  expect(sink.of('instance.ended').map(({ path }) => path)).toEqual(begun.toReversed());
  expect(sink.of('tool.ended')).toHaveLength(sink.of('tool.started').length);
  expect(sink.events.at(-1)?.kind).toBe('run.finished');
  return {
    outcome,
    read: sink.of('tool.ended').map(({ path, result }) => [path, result.errorCode, textOf(result.content)]),
  };
}

describe('a tool that asks a person, in an agent below another one', () => {
  it('gives its error to the child, whose words reach the parent, and the run ends', async () => {
    const { outcome, read } = await runAsked(repeats(ask));
    expect(read).toEqual([
      ['lead/mid[1]/kid[1]', 'NOT_ALLOWED', refusal],
      ['lead/mid[1]', undefined, refusal],
      ['lead', undefined, refusal],
    ]);
    expect(outcome).toMatchObject({ status: 'completed', answer: refusal });
  });

  it('a child that then says nothing still answers something', async () => {
    const { outcome } = await runAsked([{ calls: [ask] }, '']);
    expect(outcome).toMatchObject({ status: 'completed', answer: '(No response)' });
  });

  it('a child that never stops asking ends at its limit, as an error result', async () => {
    const { outcome, read } = await runAsked(() => ({ calls: [ask] }), {
      card: { requestParams: { max_iterations: 3 } },
    });
    expect(read.at(-2)).toEqual([
      'lead/mid[1]',
      'AGENT_FAILED',
      "Error: Agent 'kid' made too many model calls without finishing. Give it a smaller task.",
    ]);
    expect(outcome.status).toBe('completed');
  });

  it('no empty text is passed on, in any mode of results', async () => {
    const passthrough = { requestParams: { tool_result_mode: 'passthrough' } };
    expect((await runAsked(repeats(ask), { card: passthrough })).outcome.answer).toBe(refusal);
    const { read } = await runAsked([{ calls: [silent] }], { card: passthrough });
    expect(read[1]).toEqual(['lead/mid[1]', undefined, '(No response)']);
    const skip = { mid: { kid: { skip_summarization: true } }, lead: { mid: { skip_summarization: true } } };
    expect((await runAsked(repeats(ask), { delegations: skip })).outcome.answer).toBe(refusal);
  });

  it('a checked answer that is missing is an error result', async () => {
    const delegations = { mid: { kid: { output_schema: { type: 'object' } } } };
    const { outcome, read } = await runAsked(repeats(ask), { delegations });
    expect(read[1]).toEqual([
      'lead/mid[1]',
      'OUTPUT_VALIDATION',
      "Error: The answer of agent 'kid' is not valid: it is not JSON.",
    ]);
    expect(outcome.status).toBe('completed');
  });
});

function lastRead({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.results.map(({ result }) => textOf(result.content)).join('\n') : '';
}
