import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { PendingPage } from '@/lib/base/pending-info';
import { listPending } from '@/lib/server/pending';
import { pendingQuery } from './api/pending-bodies';
import { checkInput } from './api/read-body';

/** Reads a page of questions by the query of an address. Throws AppError `bad_request`. */
export async function findPending(actor: Actor, params: URLSearchParams): Promise<PendingPage> {
  const { run, project, status, tool, limit, after } = checkInput(Object.fromEntries(params), pendingQuery);
  return await listPending(actor, {
    run: run === undefined ? undefined : brandAs<RunId>(run),
    project: project === undefined ? undefined : brandAs<ProjectId>(project),
    tool,
    status: status === 'all' ? undefined : status,
    limit,
    after: after || undefined,
  });
}
