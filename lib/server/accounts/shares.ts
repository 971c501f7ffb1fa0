import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import { longestShareHours, mostShareLinks } from '@/lib/base/share-request';
import { withStore, withStoreOnce } from '@/lib/server/services';
import { appendAudit } from '@/lib/store/audit';
import { noRun } from '@/lib/store/not-found';
import { projectOf } from '@/lib/store/owners';
import { insertShareLink, listShareLinks, revokeShareLinkRow, type ShareLinkRow } from '@/lib/store/share-links';
import { transaction } from '@/lib/store/transaction';
import { hashOfSecret, newShareToken, shownPart } from './token-text';

export interface ShareRequest {
  /** For how many hours the link opens the run. */
  readonly hours: number;
  /** Whether messages, arguments and results are shown. */
  readonly texts: boolean;
}

/** Lists the links that open a run now. Throws AppError `not_found`, and `not_allowed` for whoever may not share. */
export async function listShares(actor: Actor, run: RunId): Promise<readonly ShareLinkRow[]> {
  return await withStore(actor, 'run.share', { run }, async (store) => {
    if ((await projectOf(store, 'Run', run)) === undefined) throw noRun();
    return await listShareLinks(store, run);
  });
}

/**
 * Makes a link that shows a run. Returns its token, which is stored nowhere, and all links of the run. Throws AppError `not_found`,
 * `not_allowed`, `bad_request`, and `conflict` beyond 50 links.
 */
export async function makeShare(
  actor: Actor,
  run: RunId,
  { hours, texts }: ShareRequest,
): Promise<{ readonly id: string; readonly token: string; readonly links: readonly ShareLinkRow[] }> {
  if (!(Number.isInteger(hours) && hours >= 1 && hours <= longestShareHours)) {
    throw new AppError('bad_request', `A link opens the run for 1 to ${longestShareHours} hours.`);
  }
  return await withStoreOnce(actor, 'run.share', { run }, async ({ store }) => {
    const project = await projectOf(store, 'Run', run);
    if (project === undefined) throw noRun();
    const [id, token] = [randomUUID(), newShareToken()];
    const prefix = shownPart(token);
    const link = { id, run, prefix, tokenHash: hashOfSecret(token), texts, by: actor.by, hours };
    await transaction(store, async (connection) => {
      if (!(await insertShareLink(connection, link, mostShareLinks))) {
        throw new AppError('conflict', `This run has ${mostShareLinks} links. Revoke one that nobody needs any more.`);
      }
      const body = { run, prefix, hours, texts };
      await appendAudit(connection, {
        actor,
        action: 'share.created',
        object: id,
        project: project ?? undefined,
        body,
      });
    });
    return { id, token, links: await listShareLinks(store, run) };
  });
}

/** Revokes a link of a run: pages that show it end within 10 seconds. Throws AppError `not_found` and `not_allowed`. */
export async function revokeShare(actor: Actor, run: RunId, id: string): Promise<void> {
  await withStoreOnce(actor, 'run.share', { run }, async ({ store }) => {
    const project = await projectOf(store, 'Run', run);
    await transaction(store, async (connection) => {
      const prefix = await revokeShareLinkRow(connection, run, id);
      if (prefix === undefined) {
        throw new AppError('not_found', 'There is no such link. It may have expired or been revoked already.');
      }
      const body = { run, prefix };
      await appendAudit(connection, {
        actor,
        action: 'share.revoked',
        object: id,
        project: project ?? undefined,
        body,
      });
    });
  });
}
