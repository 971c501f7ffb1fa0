import path from 'node:path';
import type { Metadata } from 'next';
import { isAllowedSomewhere } from '@/app/allowed-somewhere';
import { pageActor } from '@/app/page-actor';
import { decide } from '@/lib/base/rights';
import { installationFor } from '@/lib/server/installation';
import { readNotifications } from '@/lib/server/notifications';
import { listProjectNames } from '@/lib/server/projects';
import { readRetentionOverview } from '@/lib/server/run-lists';
import { appFolder } from '@/lib/server/settings/app-folder';
import { isDatabaseEmbedded, launcherFence } from '@/lib/server/settings/process-env';
import { describeEnv } from '@/lib/server/settings/settings-rows';
import { limitsOf } from './limits-state';
import { SettingsClient } from './settings-client';

export const metadata: Metadata = { title: 'Settings' };

interface SettingsPageProps {
  /** `secrets` is the project whose secrets are shown first. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const [{ secrets }, actor] = [await searchParams, await pageActor()];
  // Without the database the page still says with which settings the process was started.
  const manages = isAllowedSomewhere(actor, 'settings.change');
  const [env, projects, managed, kept, notified, limited] = await Promise.all([
    installationFor(),
    listProjectNames(actor, { limit: 20, action: 'run.start' }).catch(() => undefined),
    listProjectNames(actor, { limit: 20, action: 'secrets.set' }).catch(() => undefined),
    manages ? readRetentionOverview(actor).catch(() => undefined) : undefined,
    manages ? readNotifications(actor).catch(() => undefined) : undefined,
    manages ? limitsOf(actor).catch(() => undefined) : undefined,
  ]);
  const isShown = decide(actor.reach, 'installation.read', null) === 'allowed';
  const groups = isShown ? describeEnv(env, isDatabaseEmbedded(), launcherFence()) : [];
  return (
    <SettingsClient
      project={typeof secrets === 'string' ? secrets : undefined}
      projects={projects}
      kept={kept}
      notified={notified}
      limited={limited}
      manages={manages}
      runs={isAllowedSomewhere(actor, 'run.start')}
      managed={managed?.projects ?? []}
      administers={isShown}
      people={actor.reach !== 'all' && isShown}
      commands={isShown}
      audit={isAllowedSomewhere(actor, 'audit.read')}
      groups={groups}
      envFile={path.join(appFolder, '.env')}
    />
  );
}
