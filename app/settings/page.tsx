import path from 'node:path';
import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { decide } from '@/lib/base/rights';
import { installationFor } from '@/lib/server/installation';
import { readNotifications } from '@/lib/server/notifications';
import { listProjectNames } from '@/lib/server/projects';
import { readRetentionOverview } from '@/lib/server/run-lists';
import { appFolder } from '@/lib/server/settings/app-folder';
import { isDatabaseEmbedded, launcherFence } from '@/lib/server/settings/process-env';
import { describeEnv } from '@/lib/server/settings/settings-rows';
import { SettingsClient } from './settings-client';

export const metadata: Metadata = { title: 'Settings' };

interface SettingsPageProps {
  /** `secrets` is the project whose secrets are shown first. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const [{ secrets }, actor] = [await searchParams, await pageActor()];
  // Without the database the page still says with which settings the process was started.
  const [env, projects, kept, notified] = await Promise.all([
    installationFor(),
    listProjectNames(actor, { limit: 20 }).catch(() => undefined),
    readRetentionOverview(actor).catch(() => undefined),
    readNotifications(actor).catch(() => undefined),
  ]);
  const isShown = decide(actor.reach, 'installation.read', null) === 'allowed';
  const groups = isShown ? describeEnv(env, isDatabaseEmbedded(), launcherFence()) : [];
  return (
    <SettingsClient
      project={typeof secrets === 'string' ? secrets : undefined}
      projects={projects}
      kept={kept}
      notified={notified}
      groups={groups}
      envFile={path.join(appFolder, '.env')}
    />
  );
}
