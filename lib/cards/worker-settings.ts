import { z } from 'zod';
import { own } from '@/lib/base/own';
import { recordOf } from '@/lib/base/record-of';

/**
 * The keys of callboard.yaml for built-in tools, worker calls, tool groups and finding tools, listed in docs/runtime-tools.md
 * and docs/workers.md.
 */

const names = z.array(z.string().min(1));

/** `delegation` offers `worker_call`; `worker_tools` offers each worker as a tool. Both may be set. */
const toolsets = z
  .strictObject({
    delegation: z
      .strictObject({
        /**
         * The agents that this agent may call. `["*"]` means all agents of the project except itself. By default they are
         * its own children.
         */
        allow_workers: names,
        /**
         * If true, each allowed worker is also a tool of its own. With `only`, it is only that tool, and `worker_call`
         * refuses its name. The default is false.
         */
        expose_as_tools: z.union([z.boolean(), z.literal('only')], { error: 'use true, false or only' }),
        /** With `allowed` the agent gets `worker_create`. The default is `never`. */
        create: z.enum(['never', 'allowed']),
      })
      .partial(),
    worker_tools: z.strictObject({ workers: names }),
  })
  .partial();

const toolGroup = z.strictObject({
  description: z.string().trim().min(1).optional(),
  active: z.boolean().default(true),
  /** Names of children. */
  agents: names.default([]),
  /** Patterns for tool names as the model sees them, such as `time__*`. */
  tools: names.default([]),
});

const toolGroups = z.strictObject({
  /** Offers `activate_tool_groups`; false by default. */
  activation: z.boolean().default(false),
  groups: z.record(z.string().min(1), toolGroup),
});

/** Whether tools are found with `find_tools`, and from which number on. */
const finding = {
  /** False by default. */
  enabled: z.boolean().optional(),
  /** With at most so many tools of servers and functions, an agent is offered all of them at once. The default is 60. */
  above: z.int().min(1).max(10_000).optional(),
};

const findTools = z.strictObject({
  ...finding,
  /** Settings of single agents, by name. What an agent does not set is as the project sets it. */
  agents: recordOf(z.strictObject(finding)).default({}),
});

export const workerSettings = {
  runtime_tools: z
    .strictObject({
      /** Offers `read_file` and `list_files` to every agent; false by default. */
      files: z.boolean(),
      /** Offers `get_state` and `set_state`; false by default. */
      state: z.boolean(),
      /** Offers `save_artifact`, `load_artifact` and `list_artifacts`; false by default. */
      artifacts: z.boolean(),
    })
    .partial()
    .default({}),
  /** Worker tools by agent. */
  toolsets: recordOf(toolsets).default({}),
  /** Tool groups by agent. */
  tool_groups: recordOf(toolGroups).default({}),
  /** Agents with many tools find them by search. */
  find_tools: findTools.default({ agents: {} }),
};

export type Toolsets = z.infer<typeof toolsets>;
export type ToolGroups = z.infer<typeof toolGroups>;

/** With more tools an agent finds them by search, if the settings do not give another number. */
const findsAbove = 60;

/** Returns the most tools that the agent is offered without `find_tools`; `undefined` if it is always offered all. */
export function mostOfferedAtOnce(
  settings: { readonly find_tools: z.infer<typeof findTools> },
  agent: string,
): number | undefined {
  const { enabled, above, agents } = settings.find_tools;
  const its = own(agents, agent);
  return (its?.enabled ?? enabled ?? false) ? (its?.above ?? above ?? findsAbove) : undefined;
}
