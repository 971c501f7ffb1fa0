import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { begin, decided, fold, log, queued, started, vote } from '@/lib/testing/trace-log';
import { type VoteStory, voteStory } from './vote-story';

function storyOf(decisions: readonly WorkflowDecision[], moment?: number): VoteStory {
  const votes = decisions.map((decision, i) => [i + 1, decided('jury', i + 1, decision)] as const);
  const trace = fold(log([0, begin], [0, queued('jury')], [0, started('jury')], ...votes));
  const [jury] = trace.lanes;
  if (jury === undefined) throw new Error('No lane');
  return voteStory(trace, jury, moment);
}

const spoilt = { ...vote(3, 'too long', 0, 1), discarded: 'longer than 10 characters' };
const three = [vote(1, '4', 1, 1), vote(2, '5', 1, 0), spoilt, vote(4, '4', 2, 1)];

it('counts the votes of each answer and keeps what was left out', () => {
  const { answers, margin, discarded, end } = storyOf(three);
  expect(answers).toEqual([
    { answer: '4', count: 2 },
    { answer: '5', count: 1 },
  ]);
  expect([margin, discarded.map(({ decision }) => decision.discarded), end]).toEqual([
    1,
    ['longer than 10 characters'],
    undefined,
  ]);
});

it('counts only samples up to a moment', () => {
  expect(storyOf(three, 2000).answers).toEqual([
    { answer: '4', count: 1 },
    { answer: '5', count: 1 },
  ]);
  expect(storyOf(three, 2000).margin).toBe(0);
});

it('counts answers together that a card compares loosely', () => {
  expect(storyOf([vote(1, 'Yes', 1, 1), vote(2, 'no', 1, 0), vote(3, ' yes ', 2, 1)]).answers).toEqual([
    { answer: ' yes ', count: 2 },
    { answer: 'no', count: 1 },
  ]);
});

it('takes the result from the end of the vote', () => {
  const end = {
    what: 'votes',
    samples: 4,
    discarded: 1,
    margin: 1,
    k: 2,
    votes: [{ answer: '4', count: 2 }],
    outcome: 'plurality',
  } as const;
  expect(storyOf([...three, end])).toMatchObject({ answers: [{ answer: '4', count: 2 }], margin: 1, end });
});

it('property: counts every sample once, as a plain count does', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (answers) => {
      const counts = new Map<string, number>();
      const samples = answers.map((answer, i) => {
        counts.set(answer, (counts.get(answer) ?? 0) + 1);
        const [first = 0, second = 0] = [...counts.values()].sort((a, b) => b - a);
        return vote(i + 1, answer, counts.get(answer) ?? 0, first - second);
      });
      const found = storyOf(samples).answers;
      expect(new Map(found.map(({ answer, count }) => [answer, count]))).toEqual(counts);
    }),
  );
});
