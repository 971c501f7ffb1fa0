import { err, ok, type Result } from '@/lib/base/result';
import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import { calledRoute, createdRoute, workerCallName, workerRoute } from '@/lib/runtime/delegation/workers';
import type { Instance } from './instance';

/** Finds the route to the worker that a `worker_call` names. The error is a sentence that lists the workers it may name. */
export function calledWorker(instance: Pick<Instance, 'run' | 'plan'>, name: unknown): Result<ChildRoute, string> {
  const { run, plan } = instance;
  const { policy, card } = plan;
  const { settings } = run.parsed;
  const wanted = typeof name === 'string' ? name : '';
  const created = run.createdAgents.of(card.name);
  const own = created.find((agent) => agent.card.name === wanted);
  if (own) return ok(calledRoute(createdRoute(card, own, settings)));
  const worker = run.cards.get(wanted);
  if (worker && policy.callable.includes(wanted))
    return ok(calledRoute(workerRoute(card, worker, settings, run.cards)));
  const allowed = [...policy.callable, ...created.map((agent) => agent.card.name)];
  const tool =
    worker && policy.onlyAsTools.includes(wanted)
      ? workerRoute(card, worker, settings, run.cards).tool.name
      : undefined;
  const advice = tool === undefined ? '' : ` It has a tool of its own, '${tool}': call that.`;
  const list = allowed.length > 0 ? allowed.join(', ') : 'none';
  return err(`Worker '${wanted}' cannot be called with ${workerCallName}.${advice} Workers: ${list}.`);
}
