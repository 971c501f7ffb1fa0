import type { JsonObject } from '@/lib/base/json';
import type { AgentCard } from '@/lib/cards/card';
import { type DelegationOptions, delegationOptions } from '@/lib/cards/delegation-settings';
import type { Settings } from '@/lib/cards/settings';
import { childToolName } from '@/lib/cards/tool-name';
import { type AttachmentPolicy, attachmentPolicyOf, withAttachments } from './attachments';
import { type InputMode, inputModeOf, inputSchemaOf } from './input-mode';
import type { LogBody, ToolDescriptor } from './ports';
import { hasResponseMode, withResponseMode } from './result-mode';
import { withSessionId } from './session-parameter';

/** Where a call of a tool goes. Names are never parsed: this is the map (C-01). */
export type ToolRoute =
  | { readonly kind: 'port'; readonly port: 'mcp' | 'function' | 'runtime'; readonly tool: ToolDescriptor }
  | {
      readonly kind: 'child';
      readonly tool: ToolDescriptor;
      readonly child: AgentCard;
      readonly options: DelegationOptions;
      readonly inputMode: InputMode;
      /** What the arguments must fit in mode `schema`: the delegation's own, else the child card's. */
      readonly inputSchema: JsonObject | undefined;
      readonly attachments: AttachmentPolicy | undefined;
    };

type DelegationSettings = Pick<Settings, 'tool_naming' | 'delegations' | 'delegation_defaults'>;

/** What an agent's model is offered. */
export interface Surface {
  readonly tools: readonly ToolDescriptor[];
  /** Their names, in the same order. */
  readonly names: readonly string[];
  readonly routes: ReadonlyMap<string, ToolRoute>;
  /** Tools left out, and why. */
  readonly warnings: readonly LogBody[];
}

export interface SurfaceInput {
  readonly card: AgentCard;
  /** Agent cards by name; a child that is not among them cannot run. */
  readonly agents: ReadonlyMap<string, AgentCard>;
  readonly settings: DelegationSettings;
  /** Tools listed by each source, after the card's filters. */
  readonly listed: Readonly<Partial<Record<'mcp' | 'function' | 'runtime', readonly ToolDescriptor[]>>>;
}

/** Beyond this many a model chooses badly (R-07). */
const manyTools = 40;

const portOrder = ['mcp', 'function', 'runtime'] as const;

/**
 * The tools of an agent, in order: MCP, function tools, built-in runtime tools, children. The earlier one keeps a name that
 * two want; the other is left out with a warning (C-02). The editor's preview and the model request use this one function.
 */
export function buildSurface(input: SurfaceInput): Surface {
  const tools: ToolDescriptor[] = [];
  const routes = new Map<string, ToolRoute>();
  const warnings: LogBody[] = [];

  function offer(route: ToolRoute, what: string): void {
    const taken = routes.get(route.tool.name);
    if (taken) {
      warnings.push(
        leftOut('tool_name_clash', `${what} is left out: the name '${route.tool.name}' is taken by ${ownerOf(taken)}.`),
      );
      return;
    }
    routes.set(route.tool.name, route);
    tools.push(route.tool);
  }

  for (const port of portOrder) {
    for (const tool of input.listed[port] ?? [])
      offer({ kind: 'port', port, tool }, ownerOf({ kind: 'port', port, tool }));
  }
  for (const name of input.card.agents) {
    const child = input.agents.get(name);
    if (!child) {
      warnings.push(
        leftOut(
          'child_left_out',
          `Agent '${input.card.name}' cannot delegate to '${name}': only cards of type agent can run as tools.`,
        ),
      );
      continue;
    }
    offer(childRoute(input.card, child, input.settings), `Agent '${name}'`);
  }
  if (tools.length > manyTools) {
    warnings.push({
      level: 'warning',
      code: 'many_tools',
      message: `Agent '${input.card.name}' is offered ${tools.length} tools, more than the ${manyTools} a model chooses well among. Filter its servers, or split its children among several agents.`,
    });
  }
  return { tools, names: tools.map((tool) => tool.name), routes, warnings };
}

/** The delegation parent → child as a tool. */
export function childRoute(
  parent: AgentCard,
  child: AgentCard,
  settings: DelegationSettings,
): Extract<ToolRoute, { kind: 'child' }> {
  const options = delegationOptions(settings, parent.name, child.name);
  const inputSchema = options.input_schema ?? child.toolInputSchema;
  const inputMode = inputModeOf(options.input_mode, inputSchema);
  const attachments = attachmentPolicyOf(options);
  const parameters = inputSchemaOf(child.name, inputMode, inputSchema);
  const tool: ToolDescriptor = {
    name: childToolName(child.name, settings.tool_naming, options.tool_name),
    description: childDescription(child, options),
    inputSchema: withAddedParameters(parameters, { child, options, inputSchema, attachments }),
    source: 'agent',
  };
  return { kind: 'child', tool, child, options, inputMode, inputSchema, attachments };
}

/** The parameters that other options add to the input mode's own (C-03). */
function withAddedParameters(
  parameters: JsonObject,
  route: Pick<Extract<ToolRoute, { kind: 'child' }>, 'child' | 'options' | 'inputSchema' | 'attachments'>,
): JsonObject {
  let schema = parameters;
  if (hasResponseMode(route)) schema = withResponseMode(schema);
  if (route.options.session === 'addressed') schema = withSessionId(schema);
  return route.attachments ? withAttachments(schema, route.attachments) : schema;
}

/** R-04. */
export function childDescription(child: AgentCard, options: DelegationOptions): string {
  if (options.description?.trim()) return options.description.trim();
  if (child.description?.trim()) return child.description.trim();
  const instruction = child.instruction?.trim();
  if (!instruction) return `Call ${child.name} to complete tasks`;
  // Cut between whole characters, not inside a surrogate pair.
  const characters = [...instruction.slice(0, 401)];
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}...` : instruction;
}

function ownerOf(route: ToolRoute): string {
  if (route.kind === 'child') return `agent '${route.child.name}'`;
  switch (route.port) {
    case 'mcp':
      return `the MCP tool '${route.tool.remoteName ?? route.tool.name}'${route.tool.serverName ? ` of server '${route.tool.serverName}'` : ''}`;
    case 'function':
      return `the function tool '${route.tool.name}'`;
    case 'runtime':
      return `the built-in tool '${route.tool.name}'`;
  }
}

function leftOut(code: string, message: string): LogBody {
  return { level: 'warning', code, message };
}
