import { err, ok, type Result } from '@/lib/base/result';
import type { ParallelCard } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunError } from '@/lib/runtime/record/events';
import { decidedCode } from '@/lib/runtime/record/tool-error';
import { ownRequest } from './request';
import { runStep, runSteps, stepFailed } from './steps';

/**
 * All `fan_out` agents get the request at once. `fan_in` gets their answers as one message; without it that message is the
 * answer (parallel_agent.py).
 *
 *             ┌▶ a ─┐
 *   request ──┼▶ b ─┼▶ request and answers ▶ fan_in ▶ answer
 *             └▶ c ─┘
 */
export async function runParallel(instance: Instance, card: ParallelCard): Promise<Result<string, RunError>> {
  const request = ownRequest(instance);
  const answers = await runSteps(
    instance,
    card.fanOut.map((agent) => ({ agent, ...request })),
  );
  const branches: Branch[] = [];
  const failures: { readonly agent: string; readonly error: RunError }[] = [];
  for (const [index, answer] of answers.entries()) {
    const agent = card.fanOut[index] ?? '';
    if (answer.ok) branches.push({ agent, answer: answer.value });
    else failures.push({ agent, error: answer.error });
  }
  const failed = failures.find(({ error }) => decidedCode(error)) ?? failures[0];
  if (failed) return err(branchesFailed(instance, failed, failures.length - 1, card.fanOut.length));
  const joined = joinAnswers(branches, card.includeRequest ? request.text : undefined);
  return card.fanIn === undefined ? ok(joined) : runStep(instance, { agent: card.fanIn, text: joined, isLast: true });
}

interface Branch {
  readonly agent: string;
  readonly answer: string;
}

/** The message for `fan_in`. `request`: what the agents were asked, if it is told. */
function joinAnswers(branches: readonly Branch[], request: string | undefined): string {
  const asked =
    request === undefined || request === ''
      ? []
      : ['These agents were all sent the following request:', `<fastagent:request>\n${request}\n</fastagent:request>`];
  const answers = branches.map(
    ({ agent, answer }) => `<fastagent:response agent="${agent}">\n${answer}\n</fastagent:response>`,
  );
  return [...asked, ...answers].join('\n\n');
}

/** One failure stands for all; the others have ended too, and their bars say why. */
function branchesFailed(
  instance: Instance,
  failed: { readonly agent: string; readonly error: RunError },
  others: number,
  all: number,
): RunError {
  const { code, message } = stepFailed(instance, failed.agent, failed.error);
  return others === 0 ? { code, message } : { code, message: `${message} (${others + 1} of ${all} steps failed.)` };
}
