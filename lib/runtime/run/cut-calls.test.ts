import { describe, expect, it } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { AssistantMessage } from '@/lib/runtime/record/messages';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestTurn } from '@/lib/testing/scripted-model';

function answer(stopReason: AssistantMessage['stopReason'], id: string, argumentsText: string, text = ''): TestTurn {
  const toolCalls = [{ id: brandAs<CallId>(id), name: 'agent__kid', argumentsText }];
  const content = text === '' ? [] : [{ type: 'text' as const, text }];
  return { message: { role: 'assistant', content, toolCalls, stopReason } };
}

/** Lead has one child. */
async function run(...lead: readonly (string | TestTurn)[]) {
  const model = scriptedModel({ lead, kid: 'kid ran' });
  const { log, outcome } = await runGraph({ parsed: graphOf('lead > kid'), model });
  const warnings = log.flatMap((event) => (event.kind === 'log' ? [`${event.code}: ${event.message}`] : []));
  const results = log.flatMap((event) => (event.kind === 'tool.ended' ? [textOf(event.result.content)] : []));
  const children = model.requests.filter(({ agentName }) => agentName === 'kid').length;
  return { outcome, warnings, results, children, model };
}

const whole = '{"text":"go"}';
const cutWords =
  'Error: The answer was cut at the limit of output tokens, so none of its calls ran. Send fewer calls, or shorter arguments.';

describe('a call of an answer that was cut', () => {
  it.each([
    ['in its arguments', '{"text":"a long te'],
    ['before its arguments', ''],
    ['after its arguments', whole],
  ])('does not run: %s', async (_, argumentsText) => {
    const { outcome, warnings, results, children } = await run(answer('max_tokens', 'a', argumentsText), 'done');
    expect(children).toBe(0);
    expect(results).toEqual([cutWords]);
    expect(warnings).toEqual(["answer_cut: Agent 'lead': the answer was cut at the limit of output tokens."]);
    expect(outcome).toMatchObject({ status: 'completed', answer: 'done' });
  });

  it('is told to the model, which may call again', async () => {
    const { children, results, outcome } = await run(
      answer('max_tokens', 'a', ''),
      answer('tool_use', 'b', whole),
      'ok',
    );
    expect(children).toBe(1);
    expect(results).toEqual([cutWords, 'kid ran']);
    expect(outcome.answer).toBe('ok');
  });

  it('ends the turn when the next answer is cut too', async () => {
    const { outcome, model, children } = await run(
      answer('max_tokens', 'a', ''),
      answer('max_tokens', 'b', ''),
      'never',
    );
    expect(outcome.error).toEqual({
      code: 'answer_cut',
      message:
        "Agent 'lead': tool calls were cut at the limit of output tokens twice in a row. Raise 'max_tokens' in the card's request_params, or give the agent a smaller task.",
    });
    expect([model.requests.length, children]).toEqual([2, 0]);
  });
});

it('a call of an answer that was withheld does not run, and the agent fails', async () => {
  const { outcome, children, warnings, results } = await run(answer('safety', 'a', whole, 'half'), 'never');
  expect(children).toBe(0);
  expect(results).toEqual(['Error: The provider withheld the answer or a part of it, so none of its calls ran.']);
  expect(warnings).toEqual(["answer_withheld: Agent 'lead': the provider withheld the answer or a part of it."]);
  expect(outcome.error?.code).toBe('answer_withheld');
});

describe('an answer without words', () => {
  const silent = (text: string, reasoning?: string): TestTurn => ({
    message: {
      role: 'assistant',
      content: [{ type: 'text', text }],
      toolCalls: [],
      stopReason: 'end_turn',
      ...(reasoning !== undefined && { reasoning }),
    },
  });

  it.each([
    ['white space', silent(' \n'), "answer_empty: Agent 'lead': the model ended without an answer."],
    ['reasoning', silent('', 'hm'), "answer_empty: Agent 'lead': the model wrote its reasoning but no answer."],
  ])('is warned of: %s alone', async (_, turn, warning) => {
    const { outcome, warnings } = await run(turn);
    expect(warnings).toEqual([warning]);
    expect(outcome.answer).toBe('(No response)');
  });
});
