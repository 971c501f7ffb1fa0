import type { JsonObject } from '@/lib/base/json';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { WorkerPolicy } from '@/lib/cards/worker-policy';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ChildRoute, DelegationSettings } from './child-route';
import { childRoute } from './child-route';
import type { CreatedAgent } from './created-agents';

/** The tool with which an agent calls any of its workers. */
export const workerCallName = 'worker_call';
export const workerCreateName = 'worker_create';

/** Returns the delegation to a worker. Its input is `input_data` unless the edge says otherwise. */
export function workerRoute(
  parent: AgentCard,
  worker: Card,
  settings: DelegationSettings,
  cards: ReadonlyMap<string, Card>,
): ChildRoute {
  return childRoute(parent, worker, settings, cards, 'input_data');
}

/** A created agent is no workflow, so no cards are needed to find its steps. */
const noCards: ReadonlyMap<string, AgentCard> = new Map();

export function createdRoute(parent: AgentCard, created: CreatedAgent, settings: DelegationSettings): ChildRoute {
  const route = workerRoute(parent, created.card, settings, noCards);
  const { outputSchema } = created;
  return outputSchema ? { ...route, outputSchema } : route;
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
