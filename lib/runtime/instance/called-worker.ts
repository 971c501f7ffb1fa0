import { err, ok, type Result } from '@/lib/base/result';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { ChildRoute, DelegationSettings } from '@/lib/runtime/delegation/child-route';
import { createdRoute, workerCallName, workerRoute } from '@/lib/runtime/delegation/workers';
import type { Instance } from './instance';

/** Finds the route to the worker that a `worker_call` names. The error is a sentence that lists the workers it may name. */
export function calledWorker(instance: Pick<Instance, 'run' | 'plan'>, name: unknown): Result<ChildRoute, string> {
  const { run, plan } = instance;
  const { policy, card } = plan;
  const { settings } = run.parsed;
  const wanted = typeof name === 'string' ? name : '';
  const created = run.createdAgents.of(card.name);
  const own = created.find((agent) => agent.card.name === wanted);
  if (own) return ok({ ...createdRoute(card, own, settings), inputMode: 'input_data', viaWorkerCall: true });
  const worker = run.cards.get(wanted);
  if (worker && policy.callable.includes(wanted)) return ok(calledRoute(card, worker, settings, run.cards));
  const allowed = [...policy.callable, ...created.map((agent) => agent.card.name)];
  const tool =
    worker && policy.onlyAsTools.includes(wanted)
      ? workerRoute(card, worker, settings, run.cards).tool.name
      : undefined;
  const advice = tool === undefined ? '' : ` It has a tool of its own, '${tool}': call that.`;
  const list = allowed.length > 0 ? allowed.join(', ') : 'none';
  return err(`Worker '${wanted}' cannot be called with ${workerCallName}.${advice} Workers: ${list}.`);
}

/** Returns the route to a worker through `worker_call`, which has the same parameters for every worker. */
function calledRoute(
  parent: AgentCard,
  worker: Card,
  settings: DelegationSettings,
  cards: ReadonlyMap<string, Card>,
): ChildRoute {
  const route = workerRoute(parent, worker, settings, cards);
  return { ...route, inputMode: 'input_data', inputSchema: undefined, viaWorkerCall: true };
}
