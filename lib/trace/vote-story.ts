import { type Decided, type DecisionOf, decisionsOf, decisionsOfKind } from './decisions';
import type { Lane, Trace } from './trace';

/** What a vote found so far. */
export interface VoteStory {
  /** Answers with their votes, those with most votes first. Answers that match under the card's rule are one. */
  readonly answers: readonly VotedAnswer[];
  readonly samples: readonly Decided<DecisionOf<'vote'>>[];
  /** Samples that do not count. */
  readonly discarded: readonly Decided<DecisionOf<'vote'>>[];
  /** Votes by which the leading answer leads now. */
  readonly margin: number;
  /** How the vote ended; `undefined` while it goes on. */
  readonly end: DecisionOf<'votes'> | undefined;
}

export interface VotedAnswer {
  readonly answer: string;
  readonly count: number;
}

/** Returns the vote of an instance, up to a moment. */
export function voteStory(trace: Trace, lane: Lane, moment?: number): VoteStory {
  const all = decisionsOf(trace, lane, moment);
  const samples = decisionsOfKind(all, 'vote');
  const end = decisionsOfKind(all, 'votes').at(-1)?.decision;
  return {
    answers: end?.votes ?? tally(samples),
    samples,
    discarded: samples.filter(({ decision }) => decision.discarded !== undefined),
    margin: end?.margin ?? samples.at(-1)?.decision.margin ?? 0,
    end,
  };
}

/**
 * Counts votes from the samples. A sample says how many votes its answer has with it, so one with `n` votes belongs to an
 * answer that had `n - 1`: the one with the same text, otherwise the first one. Texts differ where a card compares them loosely.
 */
function tally(samples: readonly Decided<DecisionOf<'vote'>>[]): readonly VotedAnswer[] {
  const answers: { answer: string; count: number; readonly texts: Set<string> }[] = [];
  for (const { decision } of samples) {
    if (decision.discarded !== undefined) continue;
    const { answer, votes } = decision;
    const fitting = answers.filter(({ count }) => count === votes - 1);
    const known = votes <= 1 ? undefined : (fitting.find(({ texts }) => texts.has(answer)) ?? fitting[0]);
    if (known === undefined) answers.push({ answer, count: votes, texts: new Set([answer]) });
    else {
      known.count = votes;
      known.answer = answer;
      known.texts.add(answer);
    }
  }
  return answers.sort((a, b) => b.count - a.count).map(({ answer, count }) => ({ answer, count }));
}
