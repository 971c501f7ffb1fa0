import path from 'node:path';
import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { refusedPage, SettingsPage, titleOf } from '@/app/settings/settings-page';
import { EnvironmentView } from '@/components/settings/environment-view';
import { appFolder } from '@/lib/server/settings/app-folder';
import { isDatabaseEmbedded, launcherFence } from '@/lib/server/settings/process-env';
import { describeEnv } from '@/lib/server/settings/settings-rows';
import { webEnv } from '@/lib/server/settings/web-env';

export const metadata: Metadata = { title: titleOf('environment') };

const description = 'What only the environment of the process can change.';

/** The settings with which this process was started. They need no database. */
export default async function EnvironmentPage() {
  const actor = await pageActor();
  const refused = refusedPage(actor, 'environment', description);
  if (refused !== undefined) return refused;
  const groups = describeEnv(webEnv(), isDatabaseEmbedded(), launcherFence());
  return (
    <SettingsPage id="environment" description={description}>
      <EnvironmentView groups={groups} envFile={path.join(appFolder, '.env')} />
    </SettingsPage>
  );
}
