import type { JsonObject } from '@/lib/base/json';
import type { KnownServers } from '@/lib/base/known-servers';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { namesIn } from '@/lib/cards/filter-patterns';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { previewSurface } from '@/lib/runtime/surface/surface-preview';
import type { ToolChoice } from './tool-bench';

/** A tool that an agent can call without a model: of a server, or a function. */
export interface TriableTool extends Omit<ToolChoice, 'agent'> {
  /** `undefined` until the server was tested, and for functions. */
  readonly inputSchema: JsonObject | undefined;
  readonly description: string | undefined;
}

/** The tools of an agent that can be tried. */
export interface TriableTools {
  readonly tools: readonly TriableTool[];
  /** Its servers that have not said yet which tools they have. */
  readonly untested: readonly string[];
}

/**
 * Returns the tools of servers and the functions of an agent, in the order of its model. Of a server that was not tested yet, those are
 * listed that the card names.
 */
export function triableTools(parsed: ParsedFolder, folder: Folder, card: Card, known: KnownServers): TriableTools {
  const view = agentView(card);
  const listings = Object.fromEntries(Object.entries(known).map(([name, { listing }]) => [name, listing] as const));
  const { servers, tools } = previewSurface(parsed, folder, view, listings);
  const named = servers.flatMap(({ name, listed, tools: patterns = [] }) =>
    listed === undefined
      ? namesIn(patterns).map((tool): TriableTool => {
          return { tool: `${name}__${tool}`, server: name, inputSchema: undefined, description: undefined };
        })
      : [],
  );
  const offered = tools.flatMap(({ name, source, from, inputSchema, description }): readonly TriableTool[] =>
    source === 'mcp' || source === 'function'
      ? [{ tool: name, server: source === 'mcp' ? from : undefined, inputSchema, description }]
      : [],
  );
  return {
    tools: [...named, ...offered],
    untested: servers.flatMap(({ name, listed }) => (listed === undefined ? [name] : [])),
  };
}
