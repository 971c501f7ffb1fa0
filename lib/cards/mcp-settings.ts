import { z } from 'zod';

/** The keys of callboard.yaml for MCP servers, as docs/mcp.md lists them. */
export const mcpSettings = {
  mcp: z
    .strictObject({
      /** Whether servers may have a model answer them (`sampling/createMessage`), at the cost of the run. Default refuse. */
      sampling: z.enum(['allow', 'refuse']),
    })
    .partial()
    .default({}),
};
