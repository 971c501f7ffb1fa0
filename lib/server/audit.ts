import type { Actor } from '@/lib/base/actor';
import type { AuditAction, AuditEntry } from '@/lib/base/audit';
import type { ProjectId } from '@/lib/base/ids';
import { appendAudit, findAudit, type ListedEntry, readAuditAfter } from '@/lib/store/audit';
import { placeIn } from './authorize';
import { withStore, withStoreOnce } from './services';

export interface AuditFilter {
  readonly actions?: readonly AuditAction[] | undefined;
  readonly project?: ProjectId | undefined;
  readonly actor?: string | undefined;
  /** Only entries with smaller numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly ListedEntry[];
  /** The `before` of the next page; null on the last page. */
  readonly next: number | null;
}

/** Returns a page of the audit log, newest first. */
export async function listAudit(actor: Actor, { before, limit, ...filter }: AuditFilter): Promise<AuditPage> {
  const found = await withStore(actor, 'audit.read', placeIn(filter.project), (store) =>
    findAudit(store, { ...filter, limit: limit + 1 }, before),
  );
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.seq ?? null) : null };
}

const exportPage = 1_000;

/**
 * Notes in the audit log that the log leaves the app, and returns the whole log, oldest first, page by page. The entry of the export is in
 * it. Decides before the first page, so that a refusal is no broken file.
 */
export async function exportAudit(actor: Actor): Promise<AsyncGenerator<readonly AuditEntry[]>> {
  await withStoreOnce(actor, 'audit.read', 'installation', ({ store }) =>
    appendAudit(store.pool, { actor, action: 'audit.exported', object: 'audit' }),
  );
  return pagesOf(actor);
}

async function* pagesOf(actor: Actor): AsyncGenerator<readonly AuditEntry[]> {
  for (let after = 0; ; ) {
    const last = after;
    const page = await withStore(actor, 'audit.read', 'installation', (store) =>
      readAuditAfter(store, last, exportPage),
    );
    if (page.length > 0) yield page;
    if (page.length < exportPage) return;
    after = page.at(-1)?.seq ?? after;
  }
}
