import { z } from 'zod';
import { eventStream } from '@/app/api/event-stream';
import { draftName, presenceBody, windowId } from '@/app/api/presence-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { announcePresence, endPresence, streamPresence } from '@/lib/server/presence';

const streamQuery = z.object({ draft: draftName.optional() });
const goneQuery = z.object({ window: windowId });

/** Streams who has the project open, and the saved version of a draft, whenever one of them changes. */
export const GET = respond(streamQuery, async (request, params: ProjectParams, actor, { draft }) => {
  const gone = new AbortController();
  request.signal.addEventListener('abort', () => gone.abort());
  const parts = await streamPresence(actor, projectId(params), { draft, signal: gone.signal });
  return eventStream(parts, () => gone.abort());
});

/** Says where a window is. It counts for 20 seconds. */
export const PUT = respond<ProjectParams>(async (request, params, actor) => {
  await announcePresence(actor, projectId(params), await readJson(request, presenceBody));
  return new Response(null, { status: 204 });
});

/** Says that a window has gone. */
export const DELETE = respond(goneQuery, async (_request, params: ProjectParams, actor, { window }) => {
  await endPresence(actor, projectId(params), window);
  return new Response(null, { status: 204 });
});
