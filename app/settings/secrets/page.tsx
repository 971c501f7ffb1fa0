import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { refusedPage, SettingsPage, titleOf } from '@/app/settings/settings-page';
import { decide } from '@/lib/base/rights';
import { listProjectNames } from '@/lib/server/projects';
import { SecretsClient } from './secrets-client';

export const metadata: Metadata = { title: titleOf('secrets') };

interface SecretsPageProps {
  /** `secrets` is the project whose secrets are shown first. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

const description = 'Written once, never shown. Later runs get a new value without a restart.';

/** Keys and other values that runs get. */
export default async function SecretsPage({ searchParams }: SecretsPageProps) {
  const [{ secrets }, actor] = [await searchParams, await pageActor()];
  const refused = refusedPage(actor, 'secrets', description);
  if (refused !== undefined) return refused;
  const managed = await listProjectNames(actor, { limit: 20, action: 'secrets.set' }).catch(() => undefined);
  return (
    <SettingsPage id="secrets" description={description}>
      <SecretsClient
        project={typeof secrets === 'string' ? secrets : undefined}
        projects={managed?.projects ?? []}
        installation={decide(actor.reach, 'secrets.set', null) === 'allowed'}
      />
    </SettingsPage>
  );
}
