'use client';

import { unwrapAction } from '@/app/call-action';
import { previewRule, saveRule } from '@/app/settings/actions';
import { RetentionSection, type RetentionSectionProps } from '@/components/settings/retention-section';
import type { RetentionServices } from '@/components/settings/retention-types';
import { SettingsSection } from '@/components/settings/settings-section';
import { findProjectNames } from '@/lib/client/projects';

const services: RetentionServices = {
  preview: (rule, project) => unwrapAction(() => previewRule({ rule, project })),
  save: (rule, project) => unwrapAction(() => saveRule({ rule, project })),
  findProjects: findProjectNames,
};

/** The rules by which runs are deleted, with the requests that change them. */
export function RetentionClient({ first }: Pick<RetentionSectionProps, 'first'>) {
  return (
    <SettingsSection title="Retention" isWholePage>
      <RetentionSection first={first} services={services} />
    </SettingsSection>
  );
}
