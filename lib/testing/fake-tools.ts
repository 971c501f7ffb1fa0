import type { Issue } from '@/lib/base/issue';
import type { JsonObject } from '@/lib/base/json';
import type { ToolCallContext, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

export type FakeTool = (
  args: JsonObject,
  context: ToolCallContext,
) => string | ToolResult | Promise<string | ToolResult>;

export interface FakeTools extends ToolPort {
  /** The calls made, in order, with their step keys. */
  readonly calls: { readonly name: string; readonly step: string; readonly args: JsonObject }[];
  /** Adds or replaces a tool, like a server that reports a changed list. */
  add(name: string, tool: FakeTool): void;
}

/** Makes tools from functions. A string result is one text block. Every agent gets all of them. */
export function fakeTools(
  tools: Readonly<Record<string, FakeTool>>,
  options: { readonly source?: 'mcp' | 'function' | 'runtime'; readonly issues?: readonly Issue[] } = {},
): FakeTools {
  const source = options.source ?? 'mcp';
  const table = new Map(Object.entries(tools));
  const calls: FakeTools['calls'] = [];
  let version = 1;
  return {
    calls,
    add(name, tool) {
      table.set(name, tool);
      version += 1;
    },
    list() {
      return Promise.resolve({ tools: [...table.keys()].map(describe), issues: options.issues ?? [] });
    },
    async call(tool, args, context) {
      calls.push({ name: tool.name, step: context.idempotencyKey, args });
      const result = await table.get(tool.name)?.(args, context);
      return typeof result === 'object'
        ? result
        : { content: [{ type: 'text', text: result ?? 'no such tool' }], isError: result === undefined };
    },
    version: () => version,
  };

  function describe(name: string): ToolDescriptor {
    const cut = name.indexOf('__');
    const server =
      source === 'mcp' && cut > 0 ? { serverName: name.slice(0, cut), remoteName: name.slice(cut + 2) } : {};
    return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, source, ...server };
  }
}
