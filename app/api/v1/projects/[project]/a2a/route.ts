import { jsonEvents, lateJson, readRequestObject } from '@/app/api/json-rpc';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readBytes } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { parseExactJson, withNumbers } from '@/lib/base/exact-json';
import { openEndpoint } from '@/lib/server/a2a/endpoint';
import { countRequest } from '@/lib/server/request-limits';

/** The A2A endpoint of the project, over JSON-RPC. A stream is answered as server-sent events. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  await countRequest(actor, 'a2a');
  const read = readRequestObject(await readBytes(request), parseExactJson);
  // The answer repeats the id, which JSON writers here round.
  const body = { ...read, ...('id' in read && { id: withNumbers(read.id) }) };
  const gone = new AbortController();
  request.signal.addEventListener('abort', () => gone.abort());
  const endpoint = await openEndpoint(actor, projectId(params), request, gone.signal);
  const answer = endpoint.answer(body);
  if (!endpoint.isStream(body)) return lateJson(answer);
  const events = await answer;
  if (!isIterable(events)) return Response.json(events);
  return jsonEvents(
    events,
    (error) => endpoint.failure(body, error),
    () => gone.abort(),
  );
});

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
