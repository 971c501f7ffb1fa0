import { variablesIn } from '@/lib/base/variables';
import type { FastAgentConfig, ProviderSettings } from '@/lib/cards/config';
import { generalFile } from '@/lib/cards/config-files';
import { shownAddress } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { LineFinder } from '@/lib/cards/read/line-finder';
import type { Capability } from './capability';

/**
 * Returns the addresses and variables in provider sections. Without an address, models are called at the host of the
 * provider or of the operator, which the folder cannot choose.
 */
export function providerItems(
  { roles }: Pick<ParsedFolder, 'roles'>,
  config: FastAgentConfig,
  lines: LineFinder,
  content: (...parts: readonly unknown[]) => string,
): Capability[] {
  const secrets = [...roles].flatMap(([path, role]) => (role === 'secrets' ? [path] : [])).sort();
  const own = generalFile(config);
  const files = [...(own === undefined ? [] : [own]), ...secrets];
  return Object.entries(config.providers).flatMap(([name, settings]): Capability[] => {
    const placeOf = (path: readonly string[]) => {
      for (const file of files) {
        const line = lines.ofKey(file, path);
        if (line !== undefined) return { file, line };
      }
      return { file: files[0] ?? '', line: 1 };
    };
    const variables = new Set(providerTexts(settings).flatMap((text) => variablesIn(text).map((use) => use.name)));
    const asked = [...variables].map(
      (variable): Capability => ({
        kind: 'variable',
        name: variable,
        detail: `\${${variable}}`,
        notes: [`Asked for by the models of '${name}'.`],
        ...placeOf([name]),
        hash: content('variable', variable),
      }),
    );
    const address = addressOf(settings);
    if (address === undefined) return asked;
    const headers = Object.keys(settings.headers).sort();
    const sent = [...variables].sort();
    if (settings.apiKey !== undefined) headers.push('Authorization');
    const host: Capability = {
      kind: 'host',
      name: `models of ${name}`,
      detail: shownAddress(address),
      notes: [
        `Gets what the models of '${name}' are asked${sent.length === 0 ? '' : `, the value of ${sent.join(', ')}`}, and no key of your providers.`,
        ...(headers.length > 0 ? [`Sends the headers ${headers.join(', ')}.`] : []),
      ],
      ...placeOf([name, settings.baseUrl === undefined ? 'resource_name' : 'base_url']),
      hash: content('models', name, address, Object.entries(settings.headers).sort(), settings.apiKey),
    };
    return [host, ...asked];
  });
}

function addressOf({ baseUrl, azure }: ProviderSettings): string | undefined {
  if (baseUrl !== undefined) return baseUrl;
  return azure?.resourceName === undefined ? undefined : `https://${azure.resourceName}.openai.azure.com`;
}

/** The texts of a provider section that may name variables. */
export function providerTexts({ baseUrl, apiKey, headers, azure }: ProviderSettings): string[] {
  const texts = [baseUrl, apiKey, ...Object.values(headers), azure?.resourceName];
  return texts.filter((text) => text !== undefined);
}
