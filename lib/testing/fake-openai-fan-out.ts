import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { FakeReply, FakeRequest } from './fake-openai';

export interface FanOut {
  /** The number of child calls in the first answer of the orchestrator. */
  readonly children: number;
  /** The number of tool calls of each child, one per turn. */
  readonly toolCalls: number;
  readonly delayMs?: number;
  /** The tool of the child; by default the first `agent__…`. A request without this tool comes from a child. */
  readonly child?: string;
  /** The tool that children call; by default the first. */
  readonly tool?: string;
  /** The arguments of that tool; by default an example from its schema. */
  readonly toolArguments?: JsonObject;
}

/**
 * Makes a fake model: an orchestrator that calls all children once, and children that call a tool several times and then
 * answer.
 */
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

/** Returns valid arguments for a simple schema: required properties with their default, first choice, or a small value. */
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
