import { estimateTokens } from '@/lib/base/estimate-tokens';
import type { JsonObject } from '@/lib/base/json';
import { filterTakes } from '@/lib/base/name-filter';
import type { ProbedTool } from '@/lib/base/probe-report';
import type { AgentCard, Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { skillsOf } from '@/lib/cards/read/skills';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { builtInTools } from './runtime-tools';
import { buildSurface } from './surface';
import { groupsActiveAtFirst, isInactive, toolGroupsOf } from './tool-groups';

/** The tools that an agent's model will be offered, as far as the folder alone determines them. */
export interface SurfacePreview {
  /** Servers whose tools come first. */
  readonly servers: readonly PreviewServer[];
  /** All tools, in the order in which the model gets them. Tools of inactive groups and tools that are to be found are included. */
  readonly tools: readonly PreviewTool[];
  /** Sentences about tools that are left out, and about the preview as a whole. */
  readonly notes: readonly string[];
}

export interface PreviewServer {
  readonly name: string;
  /** Patterns of tool names. `undefined` allows all tools, an empty list none. */
  readonly tools: readonly string[] | undefined;
  /** The names of the tools that it listed; `undefined` if it was not tested, because only a worker may ask a server. */
  readonly listed: readonly string[] | undefined;
  /** Those of them that the filter leaves out. */
  readonly filteredOut: readonly string[];
}

/** What a server listed when it was last tested. */
export interface ServerListing {
  readonly tools: readonly ProbedTool[];
}

export interface PreviewTool {
  readonly name: string;
  readonly source: ToolDescriptor['source'];
  /** The child, the server, or the function as the card names it. */
  readonly from: string | undefined;
  /** For a tool of a server whether it declares that it only reads, if that is known. */
  readonly readOnly?: boolean | undefined;
  /** `undefined` means that it is read from the code when a run starts. */
  readonly description: string | undefined;
  readonly inputSchema: JsonObject | undefined;
  /** An estimate for its name, description and parameters; `undefined` if these are not known. */
  readonly tokens: number | undefined;
  /**
   * The groups that the tool is in, if all of them are inactive at first. The tool is not offered until one is activated.
   */
  readonly hiddenIn: readonly string[];
  /** True if the tool is offered once `find_tools` found it. */
  readonly isToBeFound: boolean;
}

/**
 * Pure. It uses the same `buildSurface` as the model request, so only what servers and code say about themselves is
 * missing.
 */
export function previewSurface(
  parsed: ParsedFolder,
  folder: Folder,
  card: AgentCard,
  listings: Readonly<Record<string, ServerListing>> = {},
): SurfacePreview {
  const cards = new Map<string, Card>();
  for (const one of parsed.cards) if (!cards.has(one.name)) cards.set(one.name, one);
  const functions = card.functionTools.map(
    ({ functionName }): ToolDescriptor => ({
      name: functionName,
      description: '',
      inputSchema: {},
      source: 'function',
    }),
  );
  const entrypoints = new Map(card.functionTools.map((tool) => [tool.functionName, tool.entrypoint]));
  const surface = buildSurface({
    card,
    cards,
    settings: parsed.settings,
    // The shell is always shown, because the folder does not tell whether an administrator allows it.
    listed: {
      mcp: serverNames(card).flatMap((name) => listedTools(card, name, listings)),
      function: functions,
      runtime: builtInTools(card, skillsOf(card, folder).skills, parsed.settings, true),
    },
  });
  const toBeFound = new Set(surface.searchable);
  const groups = toolGroupsOf(parsed.settings, card.name)?.groups;
  const active = new Set(groupsActiveAtFirst(parsed.settings, card));
  return {
    servers: serverNames(card).map((name) => describeServer(card, name, listings)),
    tools: [...surface.routes.values()].map((route): PreviewTool => {
      const { name, description, inputSchema, source, serverName, readOnly } = route.tool;
      const isFunction = source === 'function';
      return {
        name,
        source,
        from: route.kind === 'child' ? route.child.name : isFunction ? entrypoints.get(name) : serverName,
        readOnly,
        description: isFunction ? undefined : description,
        inputSchema: isFunction ? undefined : inputSchema,
        tokens: isFunction ? undefined : estimateTokens(JSON.stringify({ name, description, inputSchema })),
        hiddenIn:
          groups !== undefined && isInactive(groups, active, route)
            ? Object.entries(groups).flatMap(([group, each]) =>
                isInactive({ [group]: each }, new Set(), route) ? [group] : [],
              )
            : [],
        isToBeFound: toBeFound.has(route.tool),
      };
    }),
    notes: [...inheritedModel(parsed, card), ...surface.warnings.map((warning) => warning.message)],
  };
}

/** Returns the servers of a card in the order in which a run asks them. */
function serverNames({ servers, mcpConnect }: AgentCard): readonly string[] {
  return [...new Set([...servers, ...mcpConnect.map((entry) => entry.name)])];
}

function listingOf(listings: Readonly<Record<string, ServerListing>>, server: string): ServerListing | undefined {
  return Object.hasOwn(listings, server) ? listings[server] : undefined;
}

function describeServer(
  card: AgentCard,
  name: string,
  listings: Readonly<Record<string, ServerListing>>,
): PreviewServer {
  const filter = card.tools[name];
  const listed = listingOf(listings, name)?.tools.map((tool) => tool.name);
  return { name, tools: filter, listed, filteredOut: (listed ?? []).filter((tool) => !filterTakes(filter, tool)) };
}

/** Returns the tools that a server offers to an agent, as lib/tools/mcp describes them. */
function listedTools(
  card: AgentCard,
  serverName: string,
  listings: Readonly<Record<string, ServerListing>>,
): readonly ToolDescriptor[] {
  const tools = listingOf(listings, serverName)?.tools ?? [];
  return tools
    .filter(({ name }) => filterTakes(card.tools[serverName], name))
    .map(({ name, description = '', inputSchema, readOnly }) => ({
      name: `${serverName}__${name}`,
      description,
      inputSchema,
      source: 'mcp',
      serverName,
      remoteName: name,
      readOnly,
    }));
}

/** A child for which no model is set uses its caller's model. */
function inheritedModel({ cards, config, settings }: ParsedFolder, { name, model }: AgentCard): string[] {
  const isSet = model !== undefined || config.defaultModel !== undefined || Object.keys(settings.scripts).length > 0;
  const callers = cards.flatMap((card) => {
    const options = settings.delegations[card.name];
    const edge = options !== undefined && Object.hasOwn(options, name) ? options[name]?.model : undefined;
    return card.type === 'agent' && card.agents.includes(name) && edge === undefined ? [`'${card.name}'`] : [];
  });
  if (isSet || callers.length === 0) return [];
  return [
    `It names no model, and there is no default_model: unless the run has one, it runs on the model of its caller, ${callers.slice(0, 5).join(' or ')}.`,
  ];
}
