import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { refusedPage, SettingsPage, titleOf } from '@/app/settings/settings-page';
import { readRetentionOverview } from '@/lib/server/run-lists';
import { RetentionClient } from './retention-client';

export const metadata: Metadata = { title: titleOf('retention') };

const description = 'Runs that ended are deleted by age and by size. An empty field keeps them.';

/** For how long runs are kept. */
export default async function RetentionPage() {
  const actor = await pageActor();
  const refused = refusedPage(actor, 'retention', description);
  if (refused !== undefined) return refused;
  const first = await readRetentionOverview(actor).catch(() => undefined);
  return (
    <SettingsPage id="retention" description={description}>
      <RetentionClient first={first} />
    </SettingsPage>
  );
}
