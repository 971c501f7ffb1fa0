import { z } from 'zod';
import type { ProjectParams } from '@/app/api/project-id';
import { projectId } from '@/app/api/project-id';
import { errorResponse } from '@/app/api/respond';
import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { whoAsks } from '@/lib/server/accounts/who-asks';
import { headersOfGit } from '@/lib/server/git/git-asker';
import { notSignedIn, securityHeaders, serveRequestGuard } from '@/lib/server/request-guard';

type Handler = (request: Request, project: ProjectId, actor: Actor) => Promise<Response>;
type Context = { readonly params: Promise<ProjectParams> };

/**
 * Makes a route for the git client of a handler. Works like `respond`, with two differences: a token is also taken as the password of
 * HTTP Basic, and an error is plain text, because git shows that to the person.
 */
export function respondToGit(handler: Handler): (request: Request, context: Context) => Promise<Response> {
  return async (request, context) => {
    const refusal = serveRequestGuard(request);
    if (refusal) return await asText(refusal);
    try {
      const actor = await whoAsks({ method: request.method, headers: headersOfGit(request.headers) });
      if (actor === undefined) return await asText(notSignedIn());
      const { project } = await context.params;
      const response = await handler(request, projectId({ project: project.replace(/\.git$/, '') }), actor);
      return withHeaders(response);
    } catch (error) {
      return await asText(errorResponse(error, request));
    }
  };
}

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Git prints each line of a plain text after `remote:`. It asks for a password only after a challenge of the scheme Basic. */
async function asText(response: Response): Promise<Response> {
  const { error } = errorBody.parse(await response.json());
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  headers.set('Content-Type', 'text/plain; charset=utf-8');
  if (response.status === 401) headers.set('WWW-Authenticate', 'Basic realm="Callboard", charset="UTF-8"');
  const next = response.status === 401 ? ' Git sends a token as the password, with any name.' : '';
  return withHeaders(new Response(`${error.message}${next} (${error.code})\n`, { status: response.status, headers }));
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}
