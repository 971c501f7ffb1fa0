import { ok, type Result } from '@/lib/base/result';
import type { ChainCard } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunError } from '@/lib/runtime/record/events';
import type { Message } from '@/lib/runtime/record/messages';
import { ownRequest, userMessage } from './request';
import { runStep } from './steps';

/**
 * Each agent gets the answer of the one before as its message; the answer of the last is the chain's.
 *
 *   request ▶ a ──answer──▶ b ──answer──▶ c ──▶ answer
 *
 * With `cumulative` each agent gets the request and every answer so far, as messages of the user, and the answer of the chain
 * is all of them in the order of the steps, each in a tag that names its agent (chain_agent.py). If the answer must fit a schema, it
 * is the last agent's alone.
 */
export async function runChain(instance: Instance, card: ChainCard): Promise<Result<string, RunError>> {
  return card.cumulative ? runCumulative(instance, card) : runPlain(instance, card);
}

async function runPlain(instance: Instance, { sequence }: ChainCard): Promise<Result<string, RunError>> {
  const request = ownRequest(instance);
  let text = request.text;
  for (const [index, agent] of sequence.entries()) {
    const first = index === 0 ? request : undefined;
    const isLast = index === sequence.length - 1 ? true : undefined;
    const answer = await runStep(instance, { agent, ...first, text, isLast });
    if (!answer.ok) return answer;
    text = answer.value;
  }
  return ok(text);
}

async function runCumulative(instance: Instance, { sequence }: ChainCard): Promise<Result<string, RunError>> {
  const request = ownRequest(instance);
  const said: { readonly agent: string; readonly answer: string }[] = [];
  const mustFit = instance.spec.outputSchema !== undefined;
  for (const [index, agent] of sequence.entries()) {
    const earlier: readonly Message[] =
      said.length === 0
        ? []
        : [requestMessage(instance), ...said.slice(0, -1).map(({ answer }) => userMessage(answer))];
    const history = [...request.history, ...earlier];
    const last = said.at(-1);
    const isLast = mustFit && index === sequence.length - 1 ? true : undefined;
    const step = last ? { agent, text: last.answer, history } : { agent, ...request };
    const answer = await runStep(instance, { ...step, isLast });
    if (!answer.ok || isLast) return answer;
    said.push({ agent, answer: answer.value });
  }
  const parts = [
    `<fastagent:request>${request.text === '' ? '<no response>' : request.text}</fastagent:request>`,
    ...said.map(({ agent, answer }) => `<fastagent:response agent='${agent}'>${answer}</fastagent:response>`),
  ];
  return ok(parts.join('\n\n'));
}

function requestMessage({ messages }: Instance): Message {
  return messages.at(-1) ?? userMessage('');
}
