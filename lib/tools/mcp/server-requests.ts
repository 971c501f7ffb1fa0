import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { answerElicitation } from './elicitation';
import { answerSampling } from './sampling';
import type { ServerHelp } from './server-help';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';

/** Returns the client capabilities that the server is told, which are only those that the policy allows. */
export function capabilitiesFor(spec: ServerSpec): ClientCapabilities {
  return {
    ...(spec.roots.length > 0 && { roots: {} }),
    ...(spec.elicitation !== 'none' && { elicitation: spec.asksPeople ? { form: {}, url: {} } : { form: {} } }),
    ...(spec.sampling && { sampling: {} }),
  };
}

/** Returns what `roots/list` is answered with. */
export function rootsOf({ roots }: ServerSpec) {
  return { roots: roots.map(({ uri, name }) => (name === undefined ? { uri } : { uri, name })) };
}

/**
 * Answers requests that servers of protocols up to 2025-11-25 send during a call: roots from the config, elicitation and sampling by
 * the project's policy. All other requests are rejected. Each rejection is logged.
 */
export function answerRequests(client: Client, spec: ServerSpec, log: ServerLog, help: ServerHelp): void {
  if (spec.roots.length > 0) client.setRequestHandler(ListRootsRequestSchema, () => rootsOf(spec));
  if (spec.elicitation !== 'none') {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => ({
      ...(await answerElicitation({ spec, log, help, waits: true, signal }, params)),
    }));
  }
  if (spec.sampling) {
    const { sampling } = spec;
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }, { signal }) =>
      answerSampling({ spec, log, help, waits: true, signal }, sampling, params),
    );
  }
  client.fallbackRequestHandler = ({ method }) => {
    const message = `Server '${spec.name}' asks for '${method}', which is refused. ${adviceFor(method)}`.trim();
    log.write('warning', 'server_request_refused', message);
    return Promise.reject(new McpError(ErrorCode.MethodNotFound, `'${method}' is not offered by this client.`));
  };
}

function adviceFor(method: string): string {
  switch (method) {
    case 'sampling/createMessage':
      return "To let servers use a model, write 'mcp: {sampling: allow}' into callboard.yaml.";
    case 'elicitation/create':
      return "Its 'elicitation.mode' is none.";
    case 'roots/list':
      return "Give it 'roots' in fast-agent.yaml.";
    default:
      return '';
  }
}
