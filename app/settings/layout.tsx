import type { ReactNode } from 'react';
import { askedBy } from '@/app/page-actor';
import { settingsPagesOf } from '@/app/settings-pages-of';
import { SettingsFrame } from '@/components/settings/settings-frame';
import { AppError } from '@/lib/base/app-error';
import { type SettingsPageId, settingsPageIds } from '@/lib/client/settings-pages';

export default async function SettingsLayout({ children }: { readonly children: ReactNode }) {
  return <SettingsFrame pages={await listedPages()}>{children}</SettingsFrame>;
}

/** Without the database it is not known who asks. Each page then says so for itself. */
async function listedPages(): Promise<readonly SettingsPageId[]> {
  try {
    return settingsPagesOf(await askedBy());
  } catch (error) {
    if (error instanceof AppError) return settingsPageIds;
    throw error;
  }
}
