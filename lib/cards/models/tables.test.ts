import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProviderSections, ProviderSettings } from '@/lib/cards/config';
import { endpointOf } from './endpoint';
import modelNames from './model-names.json';
import { nameModel } from './name-model';
import { addressVariables, findProvider, keyVariables, providerSections } from './providers';
import table from './providers.json';

const names = Object.keys(table);
const docs = readFileSync(path.resolve(import.meta.dirname, '../../../docs/models.md'), 'utf8');

describe('the table of providers', () => {
  test('docs/models.md has each provider with its host and the variables of its key', () => {
    const rows = docs.split('\n').filter((line) => line.startsWith('| `'));
    for (const name of names) {
      const provider = findProvider(name);
      if (provider?.unreachable !== undefined) {
        expect(docs).toMatch(new RegExp(`\`${name}\`[^.]*need an account instead of a key and are not called`));
        continue;
      }
      const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``)) ?? '';
      expect(row, name).not.toBe('');
      if (provider?.address !== undefined && !row.includes("the provider's own")) {
        expect(row).toContain(new URL(provider.address).host);
      }
      const keys = row.includes('`<NAME>_API_KEY`') ? [`${name.toUpperCase()}_API_KEY`] : provider?.keys;
      expect(provider?.keys, name).toEqual(keys);
      for (const key of provider?.local || row.includes('<NAME>') ? [] : (provider?.keys ?? [])) {
        expect(row).toContain(`\`${key}\``);
      }
    }
  });

  test('docs/models.md says which response format each provider takes', () => {
    const rows = docs.slice(docs.indexOf('| provider | `response_format` |')).split('\n');
    for (const name of names) {
      const provider = findProvider(name);
      if (provider?.unreachable !== undefined) continue;
      const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``)) ?? '';
      const [format = '', withTools = ''] = row.split('|').slice(2);
      expect(format.trim(), name).toMatch(provider?.answerFormat ? `\`${provider.answerFormat}\`` : /^none/);
      expect(withTools.trim().startsWith('yes'), name).toBe(provider?.answerFormatWithTools);
    }
  });

  test('an address is this machine or begins with https, and has no slash at its end', () => {
    for (const name of names) {
      const provider = findProvider(name);
      if (provider?.address === undefined) continue;
      expect(provider.address).toMatch(provider.local ? /^http:\/\/localhost:\d+\// : /^https:\/\//);
      expect(provider.address).not.toMatch(/\/$/);
    }
  });

  test('no variable is a key and an address, and every section belongs to a provider', () => {
    expect(keyVariables.filter((name) => addressVariables.includes(name))).toEqual([]);
    expect([...providerSections].filter((name) => findProvider(name) === undefined)).toEqual([]);
  });
});

describe('the table of names', () => {
  test('every short name is there once, and stands for a model of a provider of the table', () => {
    const all = modelNames.aliases.flatMap((alias) => alias.names.map((name) => ({ name, ...alias })));
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, provider, model } of all) {
      expect(names).toContain(provider);
      expect(nameModel(name)).toMatchObject({ ok: true, value: { provider, name: model } });
    }
  });

  test('every model that is named without a provider has one of the table', () => {
    for (const [provider, models] of Object.entries(modelNames.models)) {
      expect(names).toContain(provider);
      for (const model of models) {
        const named = nameModel(model);
        const isAlias = modelNames.aliases.some((alias) => alias.names.includes(model));
        if (!isAlias) expect(named).toMatchObject({ ok: true, value: { provider } });
      }
    }
  });
});

const section = (settings: Partial<ProviderSettings>): ProviderSettings => ({
  apiKey: undefined,
  baseUrl: undefined,
  headers: {},
  defaultModel: undefined,
  reasoning: undefined,
  wire: undefined,
  cacheMode: undefined,
  azure: undefined,
  ...settings,
});
const azure = { resourceName: undefined, deployment: undefined, apiVersion: undefined, usesAccount: false };

/** The URL that AsyncAzureOpenAI builds from the settings in llm_azure.py: by deployment, with default version 2024-10-21. */
describe('Azure', () => {
  const ask = (model: string, azureSection: ProviderSettings | undefined, variables: Record<string, string> = {}) => {
    const sections: ProviderSections = azureSection === undefined ? {} : { azure: azureSection };
    const found = endpointOf(model, sections, { variables, projectEnv: {}, hasValues: true });
    return found.ok ? [found.value?.address, found.value?.apiVersion, found.value?.key] : found.error;
  };

  test('a resource has its host, and the model is the deployment', () => {
    const settings = section({ apiKey: 'k', azure: { ...azure, resourceName: 'mine' } });
    expect(ask('azure.gpt-4o', settings)).toEqual([
      'https://mine.openai.azure.com/openai/deployments/gpt-4o',
      '2024-10-21',
      'k',
    ]);
  });

  test('a base_url goes before a resource; the deployment and the version of the section', () => {
    const own = { ...azure, resourceName: 'mine', deployment: 'my-dep', apiVersion: '2025-01-01-preview' };
    const settings = section({ apiKey: 'k', baseUrl: 'https://gateway.example/', azure: own });
    expect(ask('azure', settings)).toEqual([
      'https://gateway.example/openai/deployments/my-dep',
      '2025-01-01-preview',
      'k',
    ]);
  });

  test('an address with its deployment, or of the version 1 format, stays', () => {
    const at = (baseUrl: string) => ask('azure.m', section({ apiKey: 'k', baseUrl }));
    expect(at('https://a.example/openai/deployments/x')).toEqual([
      'https://a.example/openai/deployments/x',
      '2024-10-21',
      'k',
    ]);
    expect(at('https://a.example/openai')).toEqual(['https://a.example/openai/deployments/m', '2024-10-21', 'k']);
    expect(at('https://a.example/openai/v1')).toEqual(['https://a.example/openai/v1', undefined, 'k']);
  });

  test("the operator's address gets the operator's key; without an address it is not served", () => {
    const operator = { AZURE_OPENAI_ENDPOINT: 'https://ours.openai.azure.com', AZURE_OPENAI_API_KEY: 'ours' };
    expect(ask('azure.m', undefined, operator)).toEqual([
      'https://ours.openai.azure.com/openai/deployments/m',
      '2024-10-21',
      'ours',
    ]);
    expect(ask('azure.m', section({ apiKey: 'k' }))).toMatch(/is not served/);
  });

  test('an account of the machine is not used', () => {
    const account = { ...azure, usesAccount: true };
    expect(ask('azure.m', section({ baseUrl: 'https://a.example', azure: account }))).toMatch(
      /keys alone are used here/,
    );
  });
});
