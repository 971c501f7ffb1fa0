import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import { readRequestObject } from '@/app/api/json-rpc';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readBytes } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { originOf } from '@/lib/server/accounts/request-origin';
import { callsOfPrograms } from '@/lib/server/mcp/open-calls';
import { projectServer } from '@/lib/server/mcp/project-server';
import { countRequest } from '@/lib/server/request-limits';
import { stopRun } from '@/lib/server/runs';

/** The header by which a client says which session a request is of (MCP 2025-11-25, basic/transports, Session Management). */
const sessionHeader = 'mcp-session-id';
const session = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

/**
 * The project as an MCP server. A call is answered as server-sent events, with its progress. There is nothing to hear without a call and no session
 * to end, so GET and DELETE are answered with 405 (MCP 2025-11-25, basic/transports).
 */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  await countRequest(actor, 'mcp');
  const project = projectId(params);
  const body = readRequestObject(await readBytes(request));
  const id = session.safeParse(request.headers.get(sessionHeader)).data;
  const asked = cancelled.safeParse(body).data;
  if (asked !== undefined) {
    const call = { by: actor.by, project, session: id, request: asked.params.requestId };
    const run = callsOfPrograms.find(call);
    if (run !== undefined) await stopRun(actor, run);
    return new Response(null, { status: 202 });
  }
  const base = originOf(request);
  const server = await projectServer({ actor, projectId: project, session: id, base, signal: request.signal });
  const transport = new WebStandardStreamableHTTPServerTransport({});
  await server.connect(transport);
  const answer = await transport.handleRequest(request, { parsedBody: body });
  // The id is only a name for the calls of one client. Nothing is kept for it.
  if (body.method === 'initialize') answer.headers.set(sessionHeader, randomUUID());
  return answer;
});
