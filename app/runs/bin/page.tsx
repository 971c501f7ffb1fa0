import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { QueryProvider } from '@/components/shell/query-provider';
import { BinClient } from './bin-client';

export const metadata: Metadata = { title: 'Bin' };

/** Shows deleted runs, which the browser asks for. */
export default async function BinPage() {
  await pageActor();
  return (
    <QueryProvider>
      <BinClient />
    </QueryProvider>
  );
}
