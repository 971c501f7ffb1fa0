import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import type { LogBody, ToolDescriptor } from '@/lib/runtime/ports';

export type ControlTool = 'create' | 'activate';

/** Where a call of a tool goes. It is found by this route, never by parsing the tool's name. */
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
  | ChildRoute;

/** The tools that an agent's model is offered. */
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
