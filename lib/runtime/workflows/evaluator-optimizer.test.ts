import { describe, expect, it } from 'vitest';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const loop = (more = '') =>
  projectOf({
    writer: '',
    judge: '',
    flow: `type: evaluator_optimizer\ndefault: true\ngenerator: writer\nevaluator: judge\n${more}`,
  });

interface Said {
  readonly rating: string;
  readonly needs?: boolean;
  readonly feedback?: string;
}

/** The n-th attempt of the writer is `draft n`; the judge says the n-th of these. */
const judged = (said: readonly Said[]) =>
  scriptedModel({
    writer: ({ instanceName }) => `draft ${nth(instanceName)}`,
    judge: ({ instanceName }) => {
      const { rating, needs = true, feedback = 'more' } = said[nth(instanceName) - 1] ?? { rating: 'POOR' };
      return JSON.stringify({ rating, feedback, needs_improvement: needs, focus_areas: ['style'] });
    },
  });

const nth = (instanceName: string) => Number(/\[(\d+)/.exec(instanceName)?.[1] ?? 0);

const ratingsIn = (log: readonly RunEvent[]): WorkflowDecision[] =>
  log.flatMap((event) => (event.kind === 'workflow.decided' ? [event.decision] : []));

describe('an evaluator_optimizer', () => {
  it('refines until the rating is good enough', async () => {
    const model = judged([{ rating: 'POOR' }, { rating: 'FAIR', feedback: 'shorter' }, { rating: 'GOOD' }]);
    const { outcome, log } = await runGraph({ parsed: loop(), model });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'draft 3' });
    expect(ratingsIn(log).map((each) => each.what === 'rating' && [each.attempt, each.rating, each.outcome])).toEqual([
      [1, 'POOR', 'refine'],
      [2, 'FAIR', 'refine'],
      [3, 'GOOD', 'accepted'],
    ]);
    const last = model.requests.findLast(({ agentName }) => agentName === 'writer');
    const [message] = last?.messages ?? [];
    const text = message?.role === 'user' ? textOf(message.content) : '';
    for (const part of ['go', 'draft 2', 'rating="FAIR"', 'shorter', '- style']) expect(text).toContain(part);
  });

  it('takes the present answer when no improvement is needed, whatever its rating', async () => {
    const model = judged([{ rating: 'FAIR' }, { rating: 'POOR', needs: false }]);
    const { outcome } = await runGraph({ parsed: loop('min_rating: EXCELLENT'), model });
    expect(outcome.answer).toBe('draft 2');
  });

  it('answers the best attempt when max_refinements were made; of equal ratings the first', async () => {
    const model = judged([{ rating: 'POOR' }, { rating: 'FAIR' }, { rating: 'FAIR' }]);
    const { outcome, log } = await runGraph({ parsed: loop('max_refinements: 2'), model });
    expect(outcome.answer).toBe('draft 2');
    expect(ratingsIn(log).at(-1)).toMatchObject({ attempt: 3, outcome: 'limit' });
  });

  it('with max_refinements: 0 rates once and refines never', async () => {
    const model = judged([{ rating: 'POOR' }]);
    const { outcome } = await runGraph({ parsed: loop('max_refinements: 0'), model });
    expect(outcome.answer).toBe('draft 1');
    expect(model.requests.map(({ agentName }) => agentName)).toEqual(['writer', 'judge']);
  });

  it('puts refinement_instruction into the messages of both', async () => {
    const model = judged([{ rating: 'POOR' }, { rating: 'GOOD' }]);
    await runGraph({ parsed: loop('refinement_instruction: Mind the tone.'), model });
    const texts = model.requests.map(({ messages: [message] }) =>
      message?.role === 'user' ? textOf(message.content) : '',
    );
    expect(texts.map((text) => text.includes('Mind the tone.'))).toEqual([false, true, true, true]);
  });

  it('asks the generator for what its answer must fit, in each attempt', async () => {
    const schema = '{type: object, properties: {sum: {type: number}}, required: [sum]}';
    const parsed = projectOf(
      {
        writer: '',
        judge: '',
        lead: 'default: true\nagents: [flow]',
        flow: 'type: evaluator_optimizer\ngenerator: writer\nevaluator: judge',
      },
      `delegations: {lead: {flow: {output_schema: ${schema}}}}`,
    );
    const rating = (word: string) => JSON.stringify({ rating: word, feedback: 'more', needs_improvement: true });
    const model = scriptedModel({
      lead: [{ calls: [{ tool: 'agent__flow', arguments: { text: 'go' } }] }, 'done'],
      writer: ({ instanceName }) => `{"sum": ${nth(instanceName)}}`,
      judge: ({ instanceName }) => rating(nth(instanceName) === 1 ? 'FAIR' : 'GOOD'),
    });
    const { sink } = await runGraph({ parsed, model });
    const told = model.requests.filter(({ instruction }) => instruction.includes('"required":["sum"]'));
    expect(told.map(({ agentName }) => agentName)).toEqual(['writer', 'writer']);
    const [result] = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(result?.result.structuredContent).toEqual({ sum: 2 });
  });

  it('may have a chain as its generator, which refines as a whole', async () => {
    const parsed = projectOf({
      a: '',
      writer: '',
      judge: '',
      pair: 'type: chain\nsequence: [a, writer]',
      flow: 'type: evaluator_optimizer\ndefault: true\ngenerator: pair\nevaluator: judge',
    });
    const rating = (word: string) => JSON.stringify({ rating: word, feedback: 'more', needs_improvement: true });
    const model = scriptedModel({
      a: 'notes',
      writer: ({ path }) => `draft of ${path}`,
      judge: ({ instanceName }) => rating(nth(instanceName) === 1 ? 'POOR' : 'EXCELLENT'),
    });
    const { outcome } = await runGraph({ parsed, model });
    expect(outcome.answer).toBe('draft of flow/pair[2]/writer[1]');
    expect(model.requests.map(({ agentName }) => agentName)).toEqual(['a', 'writer', 'judge', 'a', 'writer', 'judge']);
  });

  it('asks an evaluator that answers no rating once more, then fails with what was wrong', async () => {
    const model = scriptedModel({ writer: 'draft', judge: [{ text: 'Nice!' }, { text: '{"rating": "SUPERB"}' }] });
    const { outcome } = await runGraph({ parsed: loop(), model });
    expect(outcome.status).toBe('failed');
    expect(outcome.error).toMatchObject({ code: 'step_failed' });
    expect(outcome.error?.message).toMatch(/step 'judge' failed: .*not valid/);
  });

  it('goes on wherever it was cut, with the same ratings, and repeats no step that had ended', async () => {
    const parsed = loop('max_refinements: 1');
    const { whole, resumed } = await resumeEverywhere(parsed, () => judged([{ rating: 'POOR' }, { rating: 'FAIR' }]));
    expect(whole.outcome.answer).toBe('draft 2');
    for (const { outcome, repeated, log } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
      expect(ratingsIn(log)).toEqual(ratingsIn(whole.log));
    }
  });
});
