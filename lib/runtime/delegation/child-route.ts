import type { JsonObject } from '@/lib/base/json';
import type { AgentCard, Card } from '@/lib/cards/card';
import { delegationSchemas } from '@/lib/cards/delegation-schemas';
import { type DelegationOptions, delegationOptions } from '@/lib/cards/delegation-settings';
import type { Settings } from '@/lib/cards/settings';
import { childToolName } from '@/lib/cards/tool-name';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ContentBlock, Message } from '@/lib/runtime/record/messages';
import { type AttachmentPolicy, attachmentPolicyOf, withAttachments } from './attachments';
import { type InputMode, inputModeOf, inputSchemaOf } from './input-mode';
import { hasResponseMode, withResponseMode } from './result-mode';
import { withSessionId } from './session-parameter';

export type DelegationSettings = Pick<Settings, 'tool_naming' | 'delegations' | 'delegation_defaults'>;

/** What a call of a child's tool needs to know about the delegation. */
export interface ChildRoute {
  readonly kind: 'child';
  readonly tool: ToolDescriptor;
  readonly child: Card;
  readonly options: DelegationOptions;
  readonly inputMode: InputMode;
  /** The schema that the arguments must fit in mode `schema`. */
  readonly inputSchema: JsonObject | undefined;
  /** The schema that the answer must fit. */
  readonly outputSchema: JsonObject | undefined;
  readonly attachments: AttachmentPolicy | undefined;
  /** Set when the arguments have a `worker` beside the input. */
  readonly viaWorkerCall?: true;
  /** Set for a step of a workflow: what the child gets with its message. */
  readonly asStep?: {
    readonly history: readonly Message[];
    readonly attachments: readonly ContentBlock[];
    readonly isSample: boolean;
  };
}

/**
 * Describes the delegation parent → child as a tool. The steps of a workflow are found in `cards`. `usualMode` is the input
 * mode if neither the delegation nor a schema determines one.
 */
export function childRoute(
  parent: AgentCard,
  child: Card,
  settings: DelegationSettings,
  cards: ReadonlyMap<string, Card>,
  usualMode?: InputMode,
): ChildRoute {
  const options = delegationOptions(settings, parent.name, child.name);
  const { input: inputSchema, output: outputSchema } = delegationSchemas(settings, parent.name, child, cards);
  const inputMode = inputModeOf(options.input_mode ?? (inputSchema ? undefined : usualMode), inputSchema);
  const attachments = attachmentPolicyOf(options);
  const parameters = inputSchemaOf(child.name, inputMode, inputSchema);
  const tool: ToolDescriptor = {
    name: childToolName(child.name, settings.tool_naming, options.tool_name),
    description: childDescription(child, options),
    inputSchema: withAddedParameters(parameters, { child, options, inputSchema, attachments }),
    source: 'agent',
  };
  return { kind: 'child', tool, child, options, inputMode, inputSchema, outputSchema, attachments };
}

/** The parameters that other options add to the input mode's own. */
function withAddedParameters(
  parameters: JsonObject,
  route: Pick<ChildRoute, 'child' | 'options' | 'inputSchema' | 'attachments'>,
): JsonObject {
  let schema = parameters;
  if (hasResponseMode(route)) schema = withResponseMode(schema);
  if (route.options.session === 'addressed') schema = withSessionId(schema);
  return route.attachments ? withAttachments(schema, route.attachments) : schema;
}

/** The description of a child's tool, from the delegation, the card or its instruction (docs/delegation.md). */
export function childDescription(child: Card, options: DelegationOptions): string {
  if (options.description?.trim()) return options.description.trim();
  if (child.description?.trim()) return child.description.trim();
  const instruction = child.instruction?.trim();
  if (!instruction) return `Call ${child.name} to complete tasks`;
  // The text is cut between whole characters and not inside a surrogate pair.
  const characters = [...instruction.slice(0, 401)];
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}...` : instruction;
}
