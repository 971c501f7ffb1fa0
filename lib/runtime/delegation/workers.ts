import type { JsonObject } from '@/lib/base/json';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ChildRoute, DelegationSettings } from './child-route';
import { childRoute } from './child-route';
import type { CreatedAgent } from './created-agents';
import { hasResponseMode, withResponseMode } from './result-mode';
import { withSessionId } from './session-parameter';

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

/**
 * Returns the route to a worker through `worker_call`. All workers have the same parameters there; a worker with a schema
 * has it checked against `input_data`.
 */
export function calledRoute(route: ChildRoute): ChildRoute {
  const inputSchema = route.inputMode === 'schema' ? route.inputSchema : undefined;
  return { ...route, inputMode: 'input_data', inputSchema, viaWorkerCall: true };
}

/** Describes `worker_call` for these workers. It has the parameters that any of them takes. */
export function workerCallTool(workers: readonly ChildRoute[]): ToolDescriptor {
  const names = workers.map(({ child }) => child.name);
  const takesFiles = workers.some(({ attachments }) => attachments !== undefined);
  const properties: JsonObject = {
    worker: { type: 'string', description: 'Name of the worker', ...(names.length > 0 ? { enum: names } : {}) },
    input_data: { description: inputDescription(workers) },
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
  let inputSchema: JsonObject = { type: 'object', properties, required: ['worker'] };
  if (workers.some(hasResponseMode)) inputSchema = withResponseMode(inputSchema);
  if (workers.some(({ options }) => options.session === 'addressed')) inputSchema = withSessionId(inputSchema);
  return {
    name: workerCallName,
    description: 'Run a worker: another agent that does one task and answers.',
    inputSchema,
    source: 'agent',
  };
}

/** A schema of more characters is not shown to the model, which then learns it from the error of a first call. */
const shownSchema = 2_000;

function inputDescription(workers: readonly ChildRoute[]): string {
  const anything = 'Input for the worker: text or any JSON value';
  const schemas = workers.flatMap(({ child, inputMode, inputSchema }) => {
    const schema = inputMode === 'schema' ? JSON.stringify(inputSchema) : '';
    return schema === '' || schema.length > shownSchema ? [] : [`${child.name}: ${schema}`];
  });
  return schemas.length === 0 ? anything : [`${anything}. These take an object of a schema:`, ...schemas].join('\n');
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
