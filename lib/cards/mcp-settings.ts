import { z } from 'zod';

/** The keys of callboard.yaml for MCP servers, listed in docs/mcp.md. */
export const mcpSettings = {
  mcp: z
    .strictObject({
      /** Whether servers may use a model (`sampling/createMessage`) at the cost of the run. Default refuse. */
      sampling: z.enum(['allow', 'refuse']),
    })
    .partial()
    .default({}),
};
