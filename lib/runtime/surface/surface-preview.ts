import type { JsonObject } from '@/lib/base/json';
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
  /** Servers whose tools come first. Their tools are not known, because only a worker may ask a server. */
  readonly servers: readonly PreviewServer[];
  /** Tools in the order in which the model gets them, those of inactive groups included. */
  readonly tools: readonly PreviewTool[];
  /** Sentences about tools that are left out, and about the preview as a whole. */
  readonly notes: readonly string[];
}

export interface PreviewServer {
  readonly name: string;
  /** Patterns of tool names. `undefined` allows all tools, an empty list none. */
  readonly tools: readonly string[] | undefined;
}

export interface PreviewTool {
  readonly name: string;
  readonly source: 'function' | 'runtime' | 'agent';
  /** The child, or the function as the card names it. */
  readonly from: string | undefined;
  /** `undefined` means that it is read from the code when a run starts. */
  readonly description: string | undefined;
  readonly inputSchema: JsonObject | undefined;
  /**
   * The groups that the tool is in, if all of them are inactive at first. The tool is not offered until one is activated.
   */
  readonly hiddenIn: readonly string[];
}

/**
 * Pure. It uses the same `buildSurface` as the model request, so only what servers and code say about themselves is
 * missing.
 */
export function previewSurface(parsed: ParsedFolder, folder: Folder, card: AgentCard): SurfacePreview {
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
      function: functions,
      runtime: builtInTools(card, skillsOf(card, folder).skills, parsed.settings, true),
    },
  });
  const groups = toolGroupsOf(parsed.settings, card.name)?.groups;
  const active = new Set(groupsActiveAtFirst(parsed.settings, card));
  return {
    servers: [...new Set([...card.servers, ...card.mcpConnect.map((entry) => entry.name)])].map((name) => ({
      name,
      tools: card.tools[name],
    })),
    tools: [...surface.routes.values()].map((route): PreviewTool => {
      const { name, description, inputSchema, source } = route.tool;
      const isFunction = source === 'function';
      return {
        name,
        source: source === 'mcp' ? 'runtime' : source,
        from: route.kind === 'child' ? route.child.name : isFunction ? entrypoints.get(name) : undefined,
        description: isFunction ? undefined : description,
        inputSchema: isFunction ? undefined : inputSchema,
        hiddenIn:
          groups !== undefined && isInactive(groups, active, route)
            ? Object.entries(groups).flatMap(([group, each]) =>
                isInactive({ [group]: each }, new Set(), route) ? [group] : [],
              )
            : [],
      };
    }),
    notes: [...inheritedModel(parsed, card), ...surface.warnings.map((warning) => warning.message)],
  };
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
