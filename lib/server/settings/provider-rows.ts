import { allProviders, type Provider, type ProviderVariables, shownAddress } from '@/lib/cards/models/providers';
import type { SettingRow } from './setting-row';

/**
 * Returns one row for OpenAI and for each provider that has a key or an address here. A row has the address of its models,
 * and whether a key is set. Names of one provider (`google`, `googleoai`) share a row. The result contains no key.
 */
export function providerRows(variables: ProviderVariables): readonly SettingRow[] {
  const shown = new Map<string, Provider>();
  for (const provider of allProviders()) {
    const isSet = [...provider.keys, ...provider.addresses].some((name) => variables[name] !== undefined);
    if ((isSet || provider.name === 'openai') && !shown.has(provider.title)) shown.set(provider.title, provider);
  }
  return [
    ...[...shown.values()].map((provider) => rowOf(provider, variables)),
    {
      label: 'Other providers',
      variable: 'docs/models.md',
      value: 'Not set',
      isSet: false,
      hint: 'Keys are stored in Models and keys, which needs no restart. A key of the environment serves projects that have no stored one. An address of your own for a provider, such as OPENAI_BASE_URL, serves every project.',
    },
  ];
}

function rowOf(provider: Provider, variables: ProviderVariables): SettingRow {
  const key = provider.keys.find((name) => variables[name] !== undefined);
  const own = provider.addresses.find((name) => variables[name] !== undefined);
  const address = own === undefined ? provider.address : shownAddress(variables[own] ?? '');
  const keyless = provider.local || own !== undefined ? 'No key' : 'Key not set';
  return {
    label: provider.title,
    variable: [key ?? provider.keys[0], own].filter((name) => name !== undefined).join(', '),
    value: key === undefined ? keyless : 'Key set',
    isSet: key !== undefined || own !== undefined,
    hint:
      provider.unreachable === undefined
        ? `${askedAt(address)} The key is never shown, logged or exported.`
        : 'Cannot be called here.',
  };
}

function askedAt(address: string | undefined): string {
  return address === undefined ? 'A folder names its address.' : `Asked at ${address}.`;
}
