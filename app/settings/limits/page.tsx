import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { limitsOf } from '@/app/settings/limits-state';
import { refusedPage, SettingsPage, titleOf } from '@/app/settings/settings-page';
import { LimitsClient } from './limits-client';

export const metadata: Metadata = { title: titleOf('limits') };

const description = 'How many runs may be started, and what they may use. An empty field is no limit.';

/** Limits on runs, and budgets. */
export default async function LimitsPage() {
  const actor = await pageActor();
  const refused = refusedPage(actor, 'limits', description);
  if (refused !== undefined) return refused;
  const first = await limitsOf(actor).catch(() => undefined);
  return (
    <SettingsPage id="limits" description={description}>
      <LimitsClient first={first} />
    </SettingsPage>
  );
}
