'use client';

import { unwrapAction } from '@/app/call-action';
import { saveBudget, saveLimits } from '@/app/settings/limit-actions';
import type { LimitServices } from '@/components/settings/limit-types';
import { LimitsSection, type LimitsSectionProps } from '@/components/settings/limits-section';
import { SettingsSection } from '@/components/settings/settings-section';
import { findProjectNames } from '@/lib/client/projects';

const services: LimitServices = {
  saveLimits: (limits) => unwrapAction(() => saveLimits(limits)),
  saveBudget: (project, budget) => unwrapAction(() => saveBudget({ project, budget })),
  findProjects: findProjectNames,
};

/** Limits and budgets, with the requests that change them. */
export function LimitsClient({ first }: Pick<LimitsSectionProps, 'first'>) {
  return (
    <SettingsSection title="Limits" isWholePage>
      <LimitsSection first={first} services={services} />
    </SettingsSection>
  );
}
