import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { RunEvent } from '@/lib/runtime/record/events';
import { hookEntries } from '@/lib/testing/hook-entries';
import { projectOf } from '@/lib/testing/project-of';
import { resumeEverywhere } from '@/lib/testing/resume-everywhere';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { Vote } from './vote';

const maker = (more = '') => projectOf({ w: '', vote: `type: MAKER\ndefault: true\nworker: w\n${more}` });

/** A model whose n-th sample is the n-th of these answers. */
const answering = (answers: readonly string[]) =>
  scriptedModel({ w: ({ instanceName }) => answers[Number(/\[(\d+)/.exec(instanceName)?.[1] ?? 1) - 1] ?? '' });

const decisions = (log: readonly RunEvent[]): WorkflowDecision[] =>
  log.flatMap((event) => (event.kind === 'workflow.decided' ? [event.decision] : []));

/** The vote of the paper, one sample after the other. */
function drawnInSequence(answers: readonly string[], k: number, maxSamples: number): number {
  const counts = new Map<string, number>();
  for (const [index, answer] of answers.entries()) {
    if (index >= maxSamples) return maxSamples;
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
    const [first = 0, second = 0] = [...counts.values()].sort((a, b) => b - a);
    if (first - second >= k) return index + 1;
  }
  return Math.min(answers.length, maxSamples);
}

describe('a MAKER', () => {
  it('asks for each sample anew, whatever a cache holds', async () => {
    for (const settings of [{ delegation_defaults: { cache: true } }, { run_hooks: hookEntries([{ cache: {} }]) }]) {
      const { cards, ...rest } = maker('k: 2');
      const parsed = { ...rest, cards, settings: { ...rest.settings, ...settings } };
      const { outcome, sink } = await runGraph({ parsed, model: answering(['wrong', 'right', 'right', 'right']) });
      expect(outcome.answer).toBe('right');
      expect(sink.of('model.started')).toHaveLength(4);
    }
  });

  it('takes the first answer that leads by k, and asks no more than that needs', async () => {
    const { outcome, log, sink } = await runGraph({
      parsed: maker('k: 2'),
      model: answering(['x', 'y', 'x', 'x', 'z']),
    });
    expect(outcome).toMatchObject({ status: 'completed', answer: 'x' });
    expect(
      sink
        .of('instance.started')
        .map(({ path }) => path)
        .slice(1),
    ).toEqual(['vote/w[1]', 'vote/w[2]', 'vote/w[3]', 'vote/w[4]']);
    expect(decisions(log)).toEqual([
      { what: 'vote', sample: 1, answer: 'x', votes: 1, margin: 1, discarded: undefined },
      { what: 'vote', sample: 2, answer: 'y', votes: 1, margin: 0, discarded: undefined },
      { what: 'vote', sample: 3, answer: 'x', votes: 2, margin: 1, discarded: undefined },
      { what: 'vote', sample: 4, answer: 'x', votes: 3, margin: 2, discarded: undefined },
      {
        what: 'votes',
        samples: 4,
        discarded: 0,
        margin: 2,
        k: 2,
        votes: [
          { answer: 'x', count: 3 },
          { answer: 'y', count: 1 },
        ],
        outcome: 'won',
      },
    ]);
  });

  it('draws as many samples as one after the other would, although it draws in parallel', async () => {
    const answers = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 30, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        answers,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 4, max: 30 }),
        async (drawn, k, most) => {
          const model = answering(drawn);
          await runGraph({ parsed: maker(`k: ${k}\nmax_samples: ${most}`), model });
          expect(model.requests).toHaveLength(drawnInSequence(drawn, k, most));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes the answer with most votes when no answer leads by k, and says so', async () => {
    const parsed = maker('k: 3\nmax_samples: 5');
    const { outcome, sink } = await runGraph({ parsed, model: answering(['a', 'b', 'b', 'c', 'a']) });
    expect(outcome.answer).toBe('a');
    expect(sink.of('log').map(({ code }) => code)).toEqual(['no_consensus']);
    expect(decisions(sink.events).at(-1)).toMatchObject({ outcome: 'plurality', samples: 5, margin: 0 });
  });

  it.each([
    ['exact', ['A b', 'a  B', 'a b'], 3],
    ['normalized', [' A b', 'a \n B', 'a b'], 1],
    ['structured', ['{"a":1,"b":2}', '{"b": 2, "a": 1}', 'no json'], 2],
  ])('%s answers are the same for the vote', (matchStrategy, answers, different) => {
    const vote = new Vote({ k: 9, maxSamples: 9, matchStrategy, redFlagMaxLength: undefined });
    for (const answer of answers) vote.add(answer);
    expect(vote.result).toHaveLength(different);
  });

  it('leaves out samples that are too long, counted in characters', async () => {
    const parsed = maker('k: 1\nred_flag_max_length: 3');
    const { outcome, log } = await runGraph({ parsed, model: answering(['long', '🙂🙂🙂', 'no']) });
    expect(outcome.answer).toBe('🙂🙂🙂');
    expect(decisions(log)[0]).toMatchObject({ sample: 1, discarded: 'longer than 3 characters' });
  });

  it('fails when every sample was left out', async () => {
    const parsed = maker('k: 1\nmax_samples: 4\nred_flag_max_length: 1');
    const { outcome } = await runGraph({ parsed, model: answering(['aa', 'bb', 'cc', 'dd', 'e']) });
    expect(outcome.error?.code).toBe('all_discarded');
    expect(outcome.error?.message).toContain('all 4 samples were longer than 1 characters');
  });

  it('fails when a sample fails', async () => {
    const error = { code: 'model_failed', message: 'Broken.' };
    const { outcome } = await runGraph({ parsed: maker(), model: scriptedModel({ w: { error } }) });
    expect(outcome.error?.code).toBe('step_failed');
  });

  it('draws samples that know nothing of each other, unless the delegation has session: reuse', async () => {
    const lengths = async (settings: string) => {
      const parsed = projectOf({ w: '', vote: 'type: MAKER\ndefault: true\nworker: w\nk: 3' }, settings);
      const model = scriptedModel({ w: 'same' });
      const { outcome } = await runGraph({ parsed, model });
      expect(outcome.answer).toBe('same');
      return model.requests.map(({ messages }) => messages.length);
    };
    expect(await lengths('')).toEqual([1, 1, 1]);
    expect(await lengths('delegations: {vote: {w: {session: reuse}}}')).toEqual([1, 3, 5]);
  });

  it('asks each sample for what the answer must fit, and makes no further call for it', async () => {
    const schema = '{type: object, properties: {kind: {type: string}}, required: [kind]}';
    const parsed = projectOf(
      {
        w: '',
        lead: 'default: true\nagents: [vote]',
        vote: 'type: MAKER\nworker: w\nk: 2\nmatch_strategy: structured',
      },
      `delegations: {lead: {vote: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__vote', arguments: { text: 'go' } }] }, 'done'];
    const model = scriptedModel({
      lead,
      w: ({ path }) => (path.endsWith('[1]') ? '{"kind": "a"}' : '{ "kind":"a" }'),
    });
    const { sink } = await runGraph({ parsed, model });
    const told = model.requests.filter(({ instruction }) => instruction.includes('"required":["kind"]'));
    expect(told.map(({ path }) => path)).toEqual(['lead/vote[1]/w[1]', 'lead/vote[1]/w[2]']);
    const [result] = sink.of('tool.ended').filter(({ path }) => path === 'lead');
    expect(result?.result.structuredContent).toEqual({ kind: 'a' });
  });

  it('asks a sample that does not fit once more, and fails when it still does not', async () => {
    const schema = '{type: object, properties: {kind: {type: string}}, required: [kind]}';
    const parsed = projectOf(
      { w: '', lead: 'default: true\nagents: [vote]', vote: 'type: MAKER\nworker: w\nk: 1' },
      `delegations: {lead: {vote: {output_schema: ${schema}}}}`,
    );
    const lead = [{ calls: [{ tool: 'agent__vote', arguments: { text: 'go' } }] }, 'done'];
    const resultOf = async (w: readonly string[]) => {
      const { sink } = await runGraph({ parsed, model: scriptedModel({ lead, w }) });
      return sink.of('tool.ended').find(({ path }) => path === 'lead')?.result;
    };
    expect((await resultOf(['It is a.', '{"kind": "a"}']))?.structuredContent).toEqual({ kind: 'a' });
    expect((await resultOf(['It is a.', 'Still a.']))?.isError).toBe(true);
  });

  it('goes on wherever it was cut, with the same votes, and repeats no sample that had ended', async () => {
    const parsed = projectOf({
      w: '',
      pair: 'type: chain\nsequence: [w, w]',
      vote: 'type: MAKER\ndefault: true\nworker: pair\nk: 2',
    });
    const answers = ({ path }: { path: string }) => (path.includes('pair[2]') ? 'odd' : 'same');
    const { whole, resumed } = await resumeEverywhere(parsed, () => scriptedModel({ w: answers }));
    expect(whole.outcome.answer).toBe('same');
    for (const { outcome, repeated, log } of resumed) {
      expect(outcome).toEqual(whole.outcome);
      expect(repeated).toEqual([]);
      expect(decisions(log)).toEqual(decisions(whole.log));
    }
  });
});
