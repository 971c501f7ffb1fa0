import { z } from 'zod';

/** The keys of callboard.yaml for MCP servers, listed in docs/mcp.md. */
export const mcpSettings = {
  mcp: z
    .strictObject({
      /**
       * Says whether servers may use a model (`sampling/createMessage`) at the cost of the run. The default is `refuse`.
       */
      sampling: z.enum(['allow', 'refuse']),
    })
    .partial()
    .default({}),
};
