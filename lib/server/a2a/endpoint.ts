import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { originOf } from '@/lib/server/accounts/request-origin';
import { isOpen } from '@/lib/server/settings/process-env';
import { agentCard, agentCardJson } from './agent-card';
import { servedAgent } from './served-agent';
import { taskRequests } from './task-requests';

type Body = Record<string, unknown>;

/** The A2A endpoint of one project, for one request. */
export interface Endpoint {
  /** True if the method of the request answers with a stream. */
  isStream(body: Body): boolean;
  /** The JSON-RPC response, or several of them for a stream. Does not reject, but a stream may. */
  answer(body: Body): Promise<unknown>;
  /** The JSON-RPC response for an error of a stream. */
  failure(body: Body, error: unknown): unknown;
}

const streamMethods: ReadonlySet<unknown> = new Set([
  'SendStreamingMessage',
  'SubscribeToTask',
  'message/stream',
  'tasks/resubscribe',
]);

/** Throws AppError `not_found` for an unknown project, or one without an agent. */
export async function openEndpoint(
  actor: Actor,
  projectId: ProjectId,
  request: Request,
  signal: AbortSignal,
): Promise<Endpoint> {
  const card = await cardOf(actor, projectId, request);
  // The specification takes a request without the header for version 0.3.
  const version = request.headers.get(A2A_VERSION_HEADER) || '0.3';
  const isLegacy = version.startsWith('0.');
  const handler = taskRequests({ actor, projectId, card, signal });
  const transport = isLegacy ? new LegacyJsonRpcTransportHandler(handler) : new JsonRpcTransportHandler(handler);
  const failure = (body: Body, error: unknown) => ({
    jsonrpc: '2.0',
    id: body.id ?? null,
    error: isLegacy
      ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
      : JsonRpcTransportHandler.mapToJSONRPCError(error),
  });
  return {
    isStream: (body) => streamMethods.has(body.method),
    async answer(body) {
      const offered = card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
      if (!offered.includes(version)) {
        return failure(body, new VersionNotSupportedError(`Version ${version.slice(0, 20)} is not spoken here.`));
      }
      const context = new ServerCallContext({ requestedVersion: version });
      const answer = await transport.handle(body, context);
      return Symbol.asyncIterator in answer ? await begun(answer, (error) => failure(body, error)) : answer;
    },
    failure,
  };
}

/** The agent card as JSON. Throws like `openEndpoint`. */
export async function readAgentCard(actor: Actor, projectId: ProjectId, request: Request): Promise<Body> {
  return agentCardJson(await cardOf(actor, projectId, request), request.headers.get(A2A_VERSION_HEADER));
}

async function cardOf(actor: Actor, projectId: ProjectId, request: Request) {
  const url = `${originOf(request)}/api/v1/projects/${projectId}/a2a`;
  return agentCard(await servedAgent(actor, projectId), { url, needsToken: !isOpen() });
}

/** A stream that has begun; an error before its first value is an answer instead of a stream. */
async function begun(
  values: AsyncGenerator<unknown, void, undefined>,
  failure: (error: unknown) => unknown,
): Promise<unknown> {
  try {
    const first = await values.next();
    return (async function* () {
      try {
        if (!first.done) yield first.value;
        yield* values;
      } finally {
        await values.return();
      }
    })();
  } catch (error) {
    return failure(error);
  }
}
