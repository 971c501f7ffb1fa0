import type { Metadata } from 'next';
import { pageActor } from '@/app/page-actor';
import { SettingsPage, titleOf } from '@/app/settings/settings-page';
import { SettingsSection } from '@/components/settings/settings-section';
import { ThemeChoice } from '@/components/settings/theme-choice';

export const metadata: Metadata = { title: titleOf('appearance') };

/** How the app looks in this browser. */
export default async function AppearancePage() {
  await pageActor();
  return (
    <SettingsPage id="appearance" description="Remembered by this browser.">
      <SettingsSection title="Appearance" isWholePage>
        <ThemeChoice />
      </SettingsSection>
    </SettingsPage>
  );
}
