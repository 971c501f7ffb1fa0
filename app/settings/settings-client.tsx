'use client';

import { editorServices } from '@/app/p/[project]/editor-services';
import { ServerSection, type ServerSectionProps } from '@/components/settings/server-section';
import { SettingsView, type SettingsViewProps } from '@/components/settings/settings-view';

/** The settings, with the requests that test a server. */
export function SettingsClient({
  projects,
  ...view
}: Omit<SettingsViewProps, 'servers'> & { readonly projects: ServerSectionProps['first'] }) {
  return <SettingsView {...view} servers={<ServerSection first={projects} servicesOf={editorServices} />} />;
}
