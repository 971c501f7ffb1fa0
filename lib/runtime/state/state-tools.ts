import { exactJson } from '@/lib/base/exact-json';
import type { JsonObject } from '@/lib/base/json';
import type { StateAccess, ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';

/** The tools of agents with `runtime_tools.state`. Writing is a barrier: later calls of the same response see the write. */
export const stateTools: readonly ToolDescriptor[] = [
  {
    name: 'get_state',
    description: 'Read the state that agents of this run share: the value of one key, or all of it as JSON.',
    inputSchema: { type: 'object', properties: { key: { type: 'string', description: 'Omit it for everything' } } },
    source: 'runtime',
  },
  {
    name: 'set_state',
    description: 'Write a value to the state that agents of this run share.',
    inputSchema: {
      type: 'object',
      properties: {
        key: { type: 'string', description: 'Such as plan or user:name; temp: keys stay with you' },
        value: { description: 'Any JSON value' },
      },
      required: ['key', 'value'],
    },
    source: 'runtime',
    sequential: true,
  },
];

/** Runs a state tool. Returns `undefined` for any other tool. */
export function callStateTool(tool: string, args: JsonObject, state: StateAccess): ToolResult | undefined {
  switch (tool) {
    case 'get_state':
      return get(args, state.values());
    case 'set_state':
      return set(args, state);
    default:
      return undefined;
  }
}

function get({ key }: JsonObject, values: JsonObject): ToolResult {
  if (key === undefined || key === null) return said(exactJson(values));
  if (typeof key !== 'string') return errorResult('INPUT_VALIDATION', "Error: 'key' must be a string.");
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  return value === undefined
    ? errorResult(
        'TOOL_FAILED',
        `Error: The state has no key '${key}'. Keys: ${Object.keys(values).join(', ') || 'none'}.`,
      )
    : said(exactJson(value));
}

function set({ key, value }: JsonObject, state: StateAccess): ToolResult {
  if (typeof key !== 'string' || value === undefined) {
    return errorResult('INPUT_VALIDATION', "Error: 'key' must be a string, and 'value' must be given.");
  }
  const problem = state.write(key, value);
  return problem === undefined ? said(`Set '${key}'.`) : errorResult('STATE_WRITE_DENIED', `Error: ${problem}`);
}

function said(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: false };
}
