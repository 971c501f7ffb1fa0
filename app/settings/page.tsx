import path from 'node:path';
import type { Metadata } from 'next';
import { readNotifications } from '@/lib/server/notifications';
import { listProjectNames } from '@/lib/server/projects';
import { readRetentionOverview } from '@/lib/server/run-lists';
import { appFolder } from '@/lib/server/settings/app-folder';
import { isDatabaseEmbedded, launcherFence } from '@/lib/server/settings/process-env';
import { describeEnv } from '@/lib/server/settings/settings-rows';
import { webEnv } from '@/lib/server/settings/web-env';
import { SettingsClient } from './settings-client';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  // Without the database the page still says with which settings the process was started.
  const [projects, kept, notified] = await Promise.all([
    listProjectNames({ limit: 20 }).catch(() => undefined),
    readRetentionOverview().catch(() => undefined),
    readNotifications().catch(() => undefined),
  ]);
  const groups = describeEnv(webEnv(), isDatabaseEmbedded(), launcherFence());
  const envFile = path.join(appFolder, '.env');
  return <SettingsClient projects={projects} kept={kept} notified={notified} groups={groups} envFile={envFile} />;
}
