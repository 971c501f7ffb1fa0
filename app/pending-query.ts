import type { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import type { PendingPage } from '@/lib/base/pending-info';
import { listPending } from '@/lib/server/pending';
import type { pendingQuery } from './api/pending-bodies';

/** Reads the page of questions that a query asks for. */
export async function findPending(actor: Actor, asked: z.infer<typeof pendingQuery>): Promise<PendingPage> {
  const { run, project, status, tool, limit, after } = asked;
  return await listPending(actor, {
    run: run === undefined ? undefined : brandAs<RunId>(run),
    project: project === undefined ? undefined : brandAs<ProjectId>(project),
    tool,
    status: status === 'all' ? undefined : status,
    limit,
    after: after || undefined,
  });
}
