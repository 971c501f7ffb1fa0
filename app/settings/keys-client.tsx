'use client';

import Link from 'next/link';
import { secretServices } from '@/app/secret-services';
import { ProviderKeys, type ProviderKeysProps } from '@/components/settings/provider-keys';
import { SettingsSection } from '@/components/settings/settings-section';

/** The keys of model providers, and where addresses of one's own are set. */
export function KeysClient(props: Omit<ProviderKeysProps, 'services'>) {
  return (
    <div className="flex flex-col gap-6">
      <SettingsSection title="Model providers" isWholePage>
        <ProviderKeys {...props} services={secretServices} />
      </SettingsSection>
      <SettingsSection title="An address of your own">
        <p className="px-4 py-3 text-muted text-sm">
          Ollama, vLLM, LM Studio, LiteLLM, Azure: open a project and choose <em>Address of your own…</em> in a list of
          models. An address for every project is{' '}
          <Link href="/settings/environment" className="text-accent underline underline-offset-2">
            set at start
          </Link>
          .
        </p>
      </SettingsSection>
    </div>
  );
}
