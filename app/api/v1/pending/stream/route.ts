import { eventStream } from '@/app/api/event-stream';
import { pendingQuery } from '@/app/api/pending-bodies';
import { respond } from '@/app/api/respond';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { streamPending } from '@/lib/server/pending-stream';

const query = pendingQuery.pick({ run: true, project: true });

/** Streams the number of open questions whenever one was asked or has ended. */
export const GET = respond(query, async (request, _params, actor, { run, project }) => {
  const gone = new AbortController();
  request.signal.addEventListener('abort', () => gone.abort());
  const scope = {
    run: run === undefined ? undefined : brandAs<RunId>(run),
    project: project === undefined ? undefined : brandAs<ProjectId>(project),
  };
  return eventStream(await streamPending(actor, scope, gone.signal), () => gone.abort());
});
