import type { JsonObject } from '@/lib/base/json';
import type { Card } from '@/lib/cards/card';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Settings } from '@/lib/cards/settings';
import type { AttachmentPolicy } from '@/lib/runtime/delegation/attachments';
import type { InputMode } from '@/lib/runtime/delegation/input-mode';
import type { LogBody, ToolDescriptor } from '@/lib/runtime/ports';

export type ControlTool = 'create' | 'activate';

/** Where a call of a tool goes. Names are never parsed: this is the map (C-01). */
export type ToolRoute =
  | {
      readonly kind: 'port';
      readonly port: 'mcp' | 'function' | 'runtime';
      readonly tool: ToolDescriptor;
      /** Answered by the runtime itself: it changes what the agent may do. */
      readonly control?: ControlTool;
    }
  /** `worker_call`: the arguments name the child. */
  | { readonly kind: 'workers'; readonly tool: ToolDescriptor; readonly takesFiles: boolean }
  | {
      readonly kind: 'child';
      readonly tool: ToolDescriptor;
      readonly child: Card;
      readonly options: DelegationOptions;
      readonly inputMode: InputMode;
      /** What the arguments must fit in mode `schema`. */
      readonly inputSchema: JsonObject | undefined;
      /** What the answer must fit. */
      readonly outputSchema: JsonObject | undefined;
      readonly attachments: AttachmentPolicy | undefined;
      /** Its arguments have a `worker` beside the input. */
      readonly viaWorkerCall?: true;
    };

export type ChildRoute = Extract<ToolRoute, { kind: 'child' }>;

export type DelegationSettings = Pick<Settings, 'tool_naming' | 'delegations' | 'delegation_defaults'>;

/** What an agent's model is offered. */
export interface Surface {
  readonly tools: readonly ToolDescriptor[];
  /** Their names, in the same order. */
  readonly names: readonly string[];
  readonly routes: ReadonlyMap<string, ToolRoute>;
  /** Tools whose groups are inactive, by name. */
  readonly inactive?: ReadonlyMap<string, ToolRoute>;
  /** Tools left out, and why. */
  readonly warnings: readonly LogBody[];
}
