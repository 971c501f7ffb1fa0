import type { ProviderSections, ProviderSettings } from '@/lib/cards/config';
import { findProvider, providerSections } from '@/lib/cards/models/providers';
import { type Mapping, readMapping, readText, readTextMap } from './fields';

/** The placeholder for a key in fast-agent's template. */
const keyHint = '<your-api-key-here>';

/** Reads the settings of the provider sections that Callboard uses. */
export function readProviders(root: Mapping): ProviderSections {
  const sections: Record<string, ProviderSettings> = {};
  for (const name of providerSections) {
    if (root.value[name] === undefined || root.value[name] === null) continue;
    const section = readMapping(root, name);
    if (section !== undefined) sections[name] = readProvider(section, name);
  }
  return sections;
}

function readProvider(section: Mapping, name: string): ProviderSettings {
  const apiKey = readText(section, 'api_key');
  const baseUrl = readText(section, 'base_url');
  if (baseUrl !== undefined && !baseUrl.includes('${') && !/^https?:\/\/[^/]/i.test(baseUrl)) {
    const text = `'base_url' of '${name}' is not an address. Write it as https://host/path.`;
    section.report.report('config-invalid', [...section.path, 'base_url'], text);
  }
  return {
    apiKey: apiKey === keyHint ? undefined : apiKey,
    baseUrl,
    headers: readTextMap(section, 'default_headers'),
    defaultModel: readText(section, 'default_model'),
    reasoning: readEffort(section.value.reasoning ?? section.value.reasoning_effort),
    wire: readWord(section, name, 'wire', findProvider(name)?.wires ?? ['chat']),
    cacheMode: readWord(section, name, 'cache_mode', cacheModes),
    azure:
      name !== 'azure'
        ? undefined
        : {
            resourceName: readText(section, 'resource_name'),
            deployment: readText(section, 'azure_deployment'),
            apiVersion: readText(section, 'api_version'),
            usesAccount: section.value.use_default_azure_credential === true,
          },
  };
}

const cacheModes = ['off', 'prompt', 'auto'];

/** Reads a word that must be one of these. YAML 1.1 reads `off` as false. */
function readWord(section: Mapping, name: string, key: string, words: readonly string[]): string | undefined {
  const written = section.value[key];
  if (written === undefined || written === null) return undefined;
  const word = written === false ? 'off' : written;
  if (typeof word === 'string' && words.includes(word)) return word;
  const text = `'${key}' of '${name}' must be ${words.join(' or ')}.`;
  section.report.report('config-invalid', [...section.path, key], text);
  return undefined;
}

/**
 * Reads an effort or a budget of tokens, but no mapping. YAML 1.1 reads `off` as false, so false means `none`.
 */
function readEffort(value: unknown): string | undefined {
  if (value === false) return 'none';
  if (value === true) return 'on';
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : undefined;
}
