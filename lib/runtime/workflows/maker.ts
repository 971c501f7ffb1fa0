import { err, ok, type Result } from '@/lib/base/result';
import type { MakerCard } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunError } from '@/lib/runtime/record/events';
import { decidedCode } from '@/lib/runtime/record/tool-error';
import { decide } from './decide';
import { ownRequest } from './request';
import { runSteps, stepFailed } from './steps';
import { shown, Vote } from './vote';

/**
 * Asks one worker again and again until one answer leads by `k` votes, or `max_samples` were drawn; then the answer with the
 * most votes is taken (maker_agent.py). Samples run in parallel as long as none of them can be one too many.
 *
 *   request ▶ worker ×k ▶ votes ──leads by k──▶ answer
 *                ▲          │
 *                └── not yet┘
 */
export async function runMaker(instance: Instance, card: MakerCard): Promise<Result<string, RunError>> {
  const { worker, k } = card;
  const step = { agent: worker, ...ownRequest(instance), isLast: true as const, isSample: true as const };
  const vote = new Vote(card);
  while (!vote.isWon && vote.wanted > 0) {
    const answers = await runSteps(instance, new Array(vote.wanted).fill(step));
    const decided = answers.find((answer) => !answer.ok && decidedCode(answer.error));
    if (decided && !decided.ok) return err(stepFailed(instance, worker, decided.error));
    for (const answer of answers) {
      if (!answer.ok) return err(stepFailed(instance, worker, answer.error));
      const { votes, discarded } = { votes: 0, discarded: undefined, ...vote.add(answer.value) };
      const { samples: sample, margin } = vote;
      decide(instance, { what: 'vote', sample, answer: shown(answer.value), votes, margin, discarded });
    }
  }
  const { samples, discarded, margin, leader, isWon } = vote;
  if (leader === undefined) return err(allDiscarded(instance, card, samples));
  decide(instance, {
    what: 'votes',
    samples,
    discarded,
    margin,
    k,
    votes: vote.result,
    outcome: isWon ? 'won' : 'plurality',
  });
  if (!isWon) {
    const message = `Agent '${instance.spec.card.name}': no answer led by ${k} votes after ${samples} samples. The answer with the most votes was taken.`;
    instance.run.log({ level: 'warning', code: 'no_consensus', message }, instance.spec.path);
  }
  return ok(leader);
}

function allDiscarded(instance: Instance, { redFlagMaxLength }: MakerCard, samples: number): RunError {
  const message = `Agent '${instance.spec.card.name}': all ${samples} samples were longer than ${redFlagMaxLength} characters, so none counts. Raise 'red_flag_max_length', or ask the worker for a shorter answer.`;
  return { code: 'all_discarded', message };
}
