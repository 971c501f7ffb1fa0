import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { pageActor } from '@/app/page-actor';
import { settingsPagesOf } from '@/app/settings-pages-of';
import { decide } from '@/lib/base/rights';
import { keyVariables, type ProviderVariables } from '@/lib/cards/models/providers';
import { secretsHref } from '@/lib/client/project-address';
import { installationFor } from '@/lib/server/installation';
import { listProjectNames } from '@/lib/server/projects';
import { webEnv } from '@/lib/server/settings/web-env';
import { KeysClient } from './keys-client';
import { SettingsPage, titleOf } from './settings-page';

export const metadata: Metadata = { title: titleOf('keys') };

interface KeysPageProps {
  /** `secrets` is in older links: the project whose secrets are shown. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

const description = 'A key that is stored here is used by the next run, without a restart.';

/** The keys of model providers: the first page of Settings. */
export default async function KeysPage({ searchParams }: KeysPageProps) {
  const [{ secrets }, actor] = [await searchParams, await pageActor()];
  if (typeof secrets === 'string') redirect(secretsHref(secrets));
  if (!settingsPagesOf(actor).includes('secrets')) {
    return (
      <SettingsPage id="keys" description={description}>
        <p className="text-muted text-sm">
          People who manage a project, and administrators, set keys. Ask an administrator of this installation.
        </p>
      </SettingsPage>
    );
  }
  const [all, managed] = await Promise.all([
    installationFor(),
    listProjectNames(actor, { limit: 20, action: 'secrets.set' }).catch(() => undefined),
  ]);
  const environment = keysIn(webEnv().models);
  return (
    <SettingsPage id="keys" description={description}>
      <KeysClient
        projects={managed?.projects ?? []}
        installation={decide(actor.reach, 'secrets.set', null) === 'allowed'}
        given={{ environment, stored: keysIn(all.models).filter((name) => !environment.includes(name)) }}
      />
    </SettingsPage>
  );
}

function keysIn(variables: ProviderVariables): readonly string[] {
  return keyVariables.filter((name) => variables[name] !== undefined);
}
