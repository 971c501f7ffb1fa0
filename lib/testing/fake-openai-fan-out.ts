import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { FakeReply, FakeRequest } from './fake-openai';

export interface FanOut {
  /** Calls of the child that the orchestrator asks for in one answer. */
  readonly children: number;
  /** Tool calls of each child, one per turn. */
  readonly toolCalls: number;
  readonly delayMs?: number;
  /** The child's tool. Default: the first `agent__…`. A request without it is a child's. */
  readonly child?: string;
  /** The tool children call. Default: their first. */
  readonly tool?: string;
  /** Arguments of that tool. Default: made up from its schema. */
  readonly toolArguments?: JsonObject;
}

/** Behaviour of a fake model: an orchestrator that fans out once, children that call a tool a few times, then answer. */
export function fanOut(plan: FanOut): (request: FakeRequest) => FakeReply {
  const delay = plan.delayMs === undefined ? {} : { delayMs: plan.delayMs };
  return (request) => {
    const names = request.tools.map((tool) => tool.name);
    const child = names.find((name) => (plan.child === undefined ? name.startsWith('agent__') : name === plan.child));
    const asked = request.messages.reduce((sum, message) => sum + message.toolCalls, 0);
    if (child !== undefined) {
      if (asked > 0) return { ...delay, text: `All ${asked} children answered.` };
      const toolCalls = Array.from({ length: plan.children }, (_, i) => ({
        name: child,
        arguments: { message: `Item ${i + 1}` },
      }));
      return { ...delay, text: 'Asking the children.', toolCalls };
    }
    const tool = request.tools.find(({ name }) => plan.tool === undefined || name === plan.tool);
    if (tool === undefined || asked >= plan.toolCalls) return { ...delay, text: `Done after ${asked} tool calls.` };
    return { ...delay, toolCalls: [{ name: tool.name, arguments: plan.toolArguments ?? example(tool.parameters) }] };
  };
}

/** Arguments that satisfy a simple schema: required properties with their default, first choice, or a small value. */
function example(schema: Readonly<Record<string, unknown>>): JsonObject {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return Object.fromEntries(required.map((name) => [name, exampleValue(properties[name])]));
}

function exampleValue(schema: unknown): Json {
  if (!isRecord(schema)) return 'x';
  if (Array.isArray(schema.enum)) return String(schema.enum[0]);
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return example(schema);
    default:
      return 'x';
  }
}
