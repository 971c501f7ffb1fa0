import path from 'node:path';
import type { Metadata } from 'next';
import { SettingsView } from '@/components/settings/settings-view';
import { appFolder } from '@/lib/server/app-folder';
import { readEnv } from '@/lib/server/env';
import { describeEnv, fenceKind } from '@/lib/server/settings-rows';

export const metadata: Metadata = { title: 'Settings' };

export default function SettingsPage() {
  const embedded = process.env.CALLBOARD_DATABASE === 'embedded';
  const groups = describeEnv(readEnv(process.env), embedded, fenceKind(process.env.CALLBOARD_FENCE));
  return <SettingsView groups={groups} envFile={path.join(appFolder, '.env')} />;
}
