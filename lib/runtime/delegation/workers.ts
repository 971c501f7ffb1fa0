import type { JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { AgentCard } from '@/lib/cards/card';
import type { WorkerPolicy } from '@/lib/cards/worker-policy';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { Instance } from '@/lib/runtime/run-state';
import type { ChildRoute, DelegationSettings } from '@/lib/runtime/surface/route';
import { childRoute } from './child-route';
import type { CreatedAgent } from './created-agents';

/** the generic delegation. */
export const workerCallName = 'worker_call';
export const workerCreateName = 'worker_create';

/** The delegation to a worker: its input is `input_data` unless the edge says otherwise. */
export function workerRoute(parent: AgentCard, worker: AgentCard, settings: DelegationSettings): ChildRoute {
  return childRoute(parent, worker, settings, noCards, 'input_data');
}

/** A worker is an agent, which has no steps. */
const noCards: ReadonlyMap<string, AgentCard> = new Map();

/** The same through `worker_call`, whose parameters are always its own. */
function calledRoute(parent: AgentCard, worker: AgentCard, settings: DelegationSettings): ChildRoute {
  const route = workerRoute(parent, worker, settings);
  return { ...route, inputMode: 'input_data', inputSchema: undefined, viaWorkerCall: true };
}

export function createdRoute(parent: AgentCard, created: CreatedAgent, settings: DelegationSettings): ChildRoute {
  const route = workerRoute(parent, created.card, settings);
  const { outputSchema } = created;
  return outputSchema ? { ...route, outputSchema } : route;
}

/** The worker that a `worker_call` names, or a sentence with those it may name. */
export function calledWorker(instance: Pick<Instance, 'run' | 'plan'>, name: unknown): Result<ChildRoute, string> {
  const { run, plan } = instance;
  const { policy, card } = plan;
  const { settings } = run.parsed;
  const wanted = typeof name === 'string' ? name : '';
  const created = run.createdAgents.of(card.name);
  const own = created.find((agent) => agent.card.name === wanted);
  if (own) return ok({ ...createdRoute(card, own, settings), inputMode: 'input_data', viaWorkerCall: true });
  const worker = run.agents.get(wanted);
  if (worker && policy.callable.includes(wanted)) return ok(calledRoute(card, worker, settings));
  const allowed = [...policy.callable, ...created.map((agent) => agent.card.name)];
  const tool =
    worker && policy.onlyAsTools.includes(wanted) ? workerRoute(card, worker, settings).tool.name : undefined;
  const advice = tool === undefined ? '' : ` It has a tool of its own, '${tool}': call that.`;
  const list = allowed.length > 0 ? allowed.join(', ') : 'none';
  return err(`Worker '${wanted}' cannot be called with ${workerCallName}.${advice} Workers: ${list}.`);
}

export function workerCallTool(policy: WorkerPolicy, created: readonly string[], takesFiles: boolean): ToolDescriptor {
  const workers = [...policy.callable, ...created];
  const properties: JsonObject = {
    worker: { type: 'string', description: 'Name of the worker', ...(workers.length > 0 ? { enum: workers } : {}) },
    input_data: { description: 'Input for the worker: text or any JSON value' },
    ...(takesFiles
      ? {
          attachments: {
            type: 'array',
            items: { type: 'string' },
            description: 'Paths of project files to attach, where the worker takes them',
          },
        }
      : {}),
  };
  return {
    name: workerCallName,
    description: 'Run a worker: another agent that does one task and answers.',
    inputSchema: { type: 'object', properties, required: ['worker'] },
    source: 'agent',
  };
}

export const workerCreateTool: ToolDescriptor = {
  name: workerCreateName,
  description:
    'Create an agent for this run. Then call it with worker_call. It has no tools but those given here, out of your own.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', description: 'A new name' },
      instructions: { type: 'string', description: 'What it is to do' },
      description: { type: 'string', description: 'What it is for' },
      model: { type: 'string', description: 'Its model. Default: yours' },
      output_schema: { type: 'object', description: 'JSON Schema of its answer' },
      tools: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of your own tools it may use. Default: none',
      },
    },
    required: ['name', 'instructions'],
  },
  source: 'runtime',
  sequential: true,
};
