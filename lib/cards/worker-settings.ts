import { z } from 'zod';
import { recordOf } from '@/lib/base/record-of';

/**
 * The keys of callboard.yaml for built-in tools, worker calls and tool groups, listed in docs/runtime-tools.md and
 * docs/workers.md.
 */

const names = z.array(z.string().min(1));

/** `delegation` offers `worker_call`; `worker_tools` offers each worker as a tool. Both may be set. */
const toolsets = z
  .strictObject({
    delegation: z
      .strictObject({
        /** The agents that this agent may call. `["*"]`: all agents of the project except itself. Default: its own children. */
        allow_workers: names,
        /** True: each allowed worker is also a tool of its own. `only`: it is that tool alone, and `worker_call` refuses its name. Default false. */
        expose_as_tools: z.union([z.boolean(), z.literal('only')], { error: 'use true, false or only' }),
        /** `allowed`: offers `worker_create`. Default `never`. */
        create: z.enum(['never', 'allowed']),
      })
      .partial(),
    worker_tools: z.strictObject({ workers: names }),
  })
  .partial();

const toolGroup = z.strictObject({
  description: z.string().trim().min(1).optional(),
  active: z.boolean().default(true),
  /** Children, by agent name. */
  agents: names.default([]),
  /** Globs for tool names as the model sees them: `time__*`. */
  tools: names.default([]),
});

const toolGroups = z.strictObject({
  /** Offers `activate_tool_groups`. Default false. */
  activation: z.boolean().default(false),
  groups: z.record(z.string().min(1), toolGroup),
});

export const workerSettings = {
  runtime_tools: z
    .strictObject({
      /** Offers `read_file` and `list_files` to every agent. Default false. */
      files: z.boolean(),
      /** Offers `get_state` and `set_state`. Default false. */
      state: z.boolean(),
      /** Offers `save_artifact`, `load_artifact` and `list_artifacts`. Default false. */
      artifacts: z.boolean(),
    })
    .partial()
    .default({}),
  /** Worker tools by agent. */
  toolsets: recordOf(toolsets).default({}),
  /** Tool groups by agent. */
  tool_groups: recordOf(toolGroups).default({}),
};

export type Toolsets = z.infer<typeof toolsets>;
export type ToolGroups = z.infer<typeof toolGroups>;
