'use client';

import { unwrapAction } from '@/app/call-action';
import { editorServices } from '@/app/p/[project]/editor-services';
import { RetentionSection, type RetentionSectionProps } from '@/components/settings/retention-section';
import type { RetentionServices } from '@/components/settings/retention-types';
import { ServerSection, type ServerSectionProps } from '@/components/settings/server-section';
import { SettingsView, type SettingsViewProps } from '@/components/settings/settings-view';
import { findProjectNames } from '@/lib/client/projects';
import { previewRule, saveRule } from './actions';

interface SettingsClientProps extends Omit<SettingsViewProps, 'servers' | 'retention'> {
  readonly projects: ServerSectionProps['first'];
  readonly kept: RetentionSectionProps['first'];
}

const retention: RetentionServices = {
  preview: (rule, project) => unwrapAction(() => previewRule({ rule, project })),
  save: (rule, project) => unwrapAction(() => saveRule({ rule, project })),
  findProjects: findProjectNames,
};

/** The settings, with the requests that test a server and change rules. */
export function SettingsClient({ projects, kept, ...view }: SettingsClientProps) {
  return (
    <SettingsView
      {...view}
      servers={<ServerSection first={projects} servicesOf={editorServices} />}
      retention={<RetentionSection first={kept} services={retention} />}
    />
  );
}
