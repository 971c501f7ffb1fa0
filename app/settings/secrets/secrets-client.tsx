'use client';

import { secretServices } from '@/app/secret-services';
import { SecretsSection, type SecretsSectionProps } from '@/components/settings/secrets-section';
import { SettingsSection } from '@/components/settings/settings-section';

/** The secrets, with the requests that list and change them. */
export function SecretsClient(props: Omit<SecretsSectionProps, 'services'>) {
  return (
    <SettingsSection title="Secrets" isWholePage>
      <SecretsSection {...props} services={secretServices} />
    </SettingsSection>
  );
}
