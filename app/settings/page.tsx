import path from 'node:path';
import type { Metadata } from 'next';
import { SettingsView } from '@/components/settings/settings-view';
import { appFolder } from '@/lib/server/settings/app-folder';
import { isDatabaseEmbedded, launcherFence } from '@/lib/server/settings/process-env';
import { describeEnv } from '@/lib/server/settings/settings-rows';
import { webEnv } from '@/lib/server/settings/web-env';

export const metadata: Metadata = { title: 'Settings' };

export default function SettingsPage() {
  const groups = describeEnv(webEnv(), isDatabaseEmbedded(), launcherFence());
  return <SettingsView groups={groups} envFile={path.join(appFolder, '.env')} />;
}
