import type { Metadata } from 'next';
import { checkInput } from '@/app/api/read-body';
import { auditQuery, findEntries } from '@/app/audit-query';
import { pageActor } from '@/app/page-actor';
import { AuditView } from '@/components/settings/audit-view';
import { Page } from '@/components/shell/page';
import { AppError } from '@/lib/base/app-error';

export const metadata: Metadata = { title: 'Audit log' };

interface AuditPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Shows a page of the audit log. A query that is not valid shows the newest entries. */
export default async function AuditPage({ searchParams }: AuditPageProps) {
  const asked = Object.entries(await searchParams).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  const [query, actor] = [Object.fromEntries(asked), await pageActor()];
  try {
    return <AuditView {...(await findEntries(actor, checkInput(query, auditQuery)))} query={query} />;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_allowed' || error.code === 'not_found')) {
      return (
        <Page title="Audit log">
          <p className="text-muted text-sm">{error.message}</p>
        </Page>
      );
    }
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    return <AuditView {...(await findEntries(actor, checkInput({}, auditQuery)))} query={{}} />;
  }
}
