import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { QueryProvider } from '@/components/shell/query-provider';
import { InboxClient } from './inbox-client';

export const metadata: Metadata = { title: 'Inbox' };

/** Shows what runs ask people. The browser reads the questions, because they change while the page is open. */
export default async function InboxPage() {
  await pageActor();
  return (
    <QueryProvider>
      <InboxClient />
    </QueryProvider>
  );
}
