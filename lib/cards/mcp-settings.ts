import { z } from 'zod';
import type { ServerConfig, ServerConsent } from './config';

const elicitation = z.enum(['never', 'ask'], { error: 'use never or ask' });
/** `refuse` is the former word for `never`. */
const sampling = z.enum(['never', 'ask', 'allow', 'refuse'], { error: 'use never, ask or allow' });

/** The keys of callboard.yaml for MCP servers, listed in docs/mcp.md. */
export const mcpSettings = {
  mcp: z
    .strictObject({
      /**
       * Says whether servers may use a model (`sampling/createMessage`) at the cost of the run: `ask` shows a person what is asked
       * and what is answered. The default is `never`.
       */
      sampling,
      /** Says whether people answer what servers ask. The default is `never`, unless fast-agent.yaml says `elicitation.mode: forms`. */
      elicitation,
      /** The same by server. */
      servers: z.record(z.string(), z.strictObject({ sampling, elicitation }).partial()),
    })
    .partial()
    .default({}),
};

type McpSettings = z.infer<typeof mcpSettings.mcp>;

/** Returns what says what servers may ask for. */
export function consentBy(settings: McpSettings) {
  return (name: string, server: ServerConfig | undefined) => consentOf(settings, name, server);
}

/** Returns what a server may ask for. `server` is its entry in fast-agent.yaml; `undefined` for one that a card connects. */
function consentOf(settings: McpSettings, name: string, server: ServerConfig | undefined): ServerConsent {
  const own = settings.servers && Object.hasOwn(settings.servers, name) ? settings.servers[name] : undefined;
  const said = own?.elicitation ?? settings.elicitation;
  const asked = own?.sampling ?? settings.sampling ?? 'never';
  const takesForms = server === undefined || server.elicitation === 'forms';
  return {
    sampling: asked === 'refuse' ? 'never' : asked,
    elicitation: takesForms && (said === undefined ? server?.asksPeople === true : said === 'ask'),
  };
}
