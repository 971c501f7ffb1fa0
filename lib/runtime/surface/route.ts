import type { ChildRoute } from '@/lib/runtime/delegation/child-route';
import type { LogBody, ToolDescriptor } from '@/lib/runtime/ports';

export type ControlTool = 'create' | 'activate' | 'find';

/** Says where a call of a tool goes. The call is matched by this route and never by parsing the tool's name. */
export type ToolRoute =
  | {
      readonly kind: 'port';
      readonly port: 'mcp' | 'function' | 'runtime';
      readonly tool: ToolDescriptor;
      /** Set if the runtime itself answers and changes what the agent may do. */
      readonly control?: ControlTool;
    }
  /** The route of `worker_call`, whose arguments name the child. */
  | { readonly kind: 'workers'; readonly tool: ToolDescriptor }
  | ChildRoute;

/** The tools that an agent's model is offered. */
export interface Surface {
  readonly tools: readonly ToolDescriptor[];
  /** The tools' names, in the same order. */
  readonly names: readonly string[];
  readonly routes: ReadonlyMap<string, ToolRoute>;
  /**
   * The tools that `find_tools` looks among, if the agent has it. Each has a route and can be called, and is in `tools` once it was
   * found or called.
   */
  readonly searchable?: readonly ToolDescriptor[];
  /** Tools whose groups are inactive, by name. */
  readonly inactive?: ReadonlyMap<string, ToolRoute>;
  /** Warnings about tools that were left out, with the reason. */
  readonly warnings: readonly LogBody[];
}
