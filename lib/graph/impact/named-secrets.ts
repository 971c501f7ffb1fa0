import type { NamedSecret, SecretNamer } from '@/lib/base/uses';
import { variablesIn } from '@/lib/base/variables';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { nameModel } from '@/lib/cards/models/name-model';
import { findProvider, type Provider } from '@/lib/cards/models/providers';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { lineFinder } from '@/lib/cards/read/line-finder';
import { usedModels } from '@/lib/cards/trust/list-models';
import { providerTexts } from '@/lib/cards/trust/list-providers';
import { askedVariables } from '@/lib/cards/variables/asked-variables';
import { remoteVariables } from '@/lib/cards/variables/remote-variables';

/**
 * Lists the variables that servers, remote agents and provider sections of a folder name, and the keys of the providers that serve its
 * models, sorted by name. Texts of cards are not among them: they get no secrets. `config` has the servers of the secrets file too.
 */
export function namedSecrets(folder: Folder, parsed: ParsedFolder, config: FastAgentConfig): readonly NamedSecret[] {
  const found = new Map<string, Map<string, SecretNamer>>();
  const note = (secret: string, by: SecretNamer) => {
    const namers = found.get(secret) ?? new Map<string, SecretNamer>();
    found.set(secret, namers.set(`${by.kind} ${by.name}`, by));
  };
  for (const { name, uses } of askedVariables({ cards: parsed.cards, config })) {
    for (const { server } of uses) note(name, { kind: 'server', name: server });
  }
  for (const card of parsed.cards) {
    if (card.type !== 'a2a') continue;
    for (const { name } of remoteVariables(card)) note(name, { kind: 'agent', name: card.name });
  }
  for (const [provider, settings] of Object.entries(config.providers)) {
    for (const { name } of providerTexts(settings).flatMap(variablesIn))
      note(name, { kind: 'provider', name: provider });
  }
  for (const { model } of usedModels(parsed, config, lineFinder(folder))) {
    const named = nameModel(model);
    const provider = named.ok && named.value.provider !== undefined ? findProvider(named.value.provider) : undefined;
    if (provider === undefined || hasOwnKey(provider, config)) continue;
    for (const key of provider.keys) note(key, { kind: 'provider', name: provider.name });
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, namers]) => ({ kind: 'secret', name, by: [...namers.values()] }));
}

/** True if the folder gives the provider an address or a key, so that models are called without a key of the installation. */
function hasOwnKey({ sections }: Provider, { providers }: FastAgentConfig): boolean {
  return sections.some((section) => {
    const settings = Object.hasOwn(providers, section) ? providers[section] : undefined;
    return settings?.apiKey !== undefined || settings?.baseUrl !== undefined || !!settings?.azure?.resourceName;
  });
}
