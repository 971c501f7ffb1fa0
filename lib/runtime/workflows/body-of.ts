import type { Result } from '@/lib/base/result';
import type { Card } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RunError } from '@/lib/runtime/record/events';
import { runChain } from './chain';
import { runEvaluatorOptimizer } from './evaluator-optimizer';
import { runMaker } from './maker';
import { runParallel } from './parallel';
import { runPlanner } from './planner';
import { runRemoteAgent } from './remote-agent';
import { assistantMessage } from './request';
import { runRouter } from './router';

/** What an instance does, from its request to its answer. If its scope was cancelled, the caller replaces the error. */
export type Body = (instance: Instance) => Promise<Result<string, RunError>>;

/**
 * The body of a workflow card. Its answer is part of its conversation, which a session may continue. `loop`: the model loop of
 * agents, for a workflow whose model may use tools before it decides.
 */
export function workflowBody(card: WorkflowCard, loop: Body): Body {
  const work = workOf(card, loop);
  return async (instance) => {
    const answer = await work(instance);
    if (answer.ok) instance.messages.push(assistantMessage(answer.value));
    return answer;
  };
}

type WorkflowCard = Exclude<Card, { type: 'agent' }>;

function workOf(card: WorkflowCard, loop: Body): Body {
  switch (card.type) {
    case 'chain':
      return (instance) => runChain(instance, card);
    case 'parallel':
      return (instance) => runParallel(instance, card);
    case 'orchestrator':
    case 'iterative_planner':
      return (instance) => runPlanner(instance, card);
    case 'evaluator_optimizer':
      return (instance) => runEvaluatorOptimizer(instance, card);
    case 'MAKER':
      return (instance) => runMaker(instance, card);
    case 'a2a':
      return (instance) => runRemoteAgent(instance, card);
    case 'router':
      return (instance) => runRouter(instance, card, loop);
  }
}
