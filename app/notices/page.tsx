import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { Page } from '@/components/shell/page';
import { QueryProvider } from '@/components/shell/query-provider';
import { readNoticeChoices } from '@/lib/server/person-notices';
import { NoticesClient } from './notices-client';

export const metadata: Metadata = { title: 'Notices' };

/** What the person was told. The browser reads it, because it changes while the page is open. */
export default async function NoticesPage() {
  const actor = await pageActor();
  const choices = await readNoticeChoices(actor);
  return (
    <Page
      title="Notices"
      description="Reviews, publications and runs that you should know of. Questions are in the inbox."
    >
      <QueryProvider>
        <NoticesClient choices={choices} />
      </QueryProvider>
    </Page>
  );
}
