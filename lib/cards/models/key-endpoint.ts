import { err, type Result } from '@/lib/base/result';
import { type Endpoint, endpointOf } from './endpoint';
import { addressVariables, allProviders, findProvider, type Provider, type ProviderVariables } from './providers';

/** Where a provider's key is sent, as calls of its models are. */
export interface KeyEndpoint {
  readonly provider: Provider;
  readonly endpoint: Endpoint;
}

/** Stands for a model where the provider has no first one. It is in no request. */
const anyModel = 'model';

/**
 * Finds where the key with this variable would be sent for a project without settings of its own. `variables` are the operator's;
 * of them only the addresses count. The error is a sentence.
 */
export function keyEndpoint(name: string, key: string, variables: ProviderVariables): Result<KeyEndpoint, string> {
  const named = allProviders().filter(({ keys }) => keys.includes(name));
  const provider = named.find(({ unreachable }) => unreachable === undefined) ?? named[0];
  if (provider === undefined) return err(`${name} is the key of no model provider that Callboard knows.`);
  const addresses = Object.fromEntries(addressVariables.map((variable) => [variable, variables[variable]]));
  const model = `${provider.name}.${provider.firstModel ?? anyModel}`;
  const env = { variables: { ...addresses, [name]: key }, projectEnv: {}, hasValues: true };
  const endpoint = endpointOf(model, {}, env);
  if (!endpoint.ok) {
    const why = provider.unreachable ?? `it has no address here. Set ${provider.addresses.join(' or ')}`;
    return err(`${provider.title} cannot be called, for ${why}.`);
  }
  if (endpoint.value === undefined) return err(`${name} is the key of no model provider.`);
  return { ok: true, value: { provider, endpoint: endpoint.value } };
}

const notAnAddress = 'This is not an address. Write it as https://host/path.';

/** An address of one's own, as a folder would name it: in a section of fast-agent.yaml, with a key or without. */
export interface OwnAddress {
  readonly section: string;
  readonly address: string;
  readonly key: string | undefined;
}

/** Finds how a folder that names this address would call it. No variable of the operator counts. The error is a sentence. */
export function ownEndpoint({ section, address, key }: OwnAddress): Result<KeyEndpoint, string> {
  const provider = findProvider(section);
  if (provider === undefined) return err(`'${section.slice(0, 100)}' is no provider that Callboard knows.`);
  const unset = {
    defaultModel: undefined,
    reasoning: undefined,
    wire: undefined,
    cacheMode: undefined,
    azure: undefined,
  };
  const sections = { [section]: { ...unset, apiKey: key, baseUrl: address, headers: {} } };
  // A text of a person is an address as it is: nothing is filled in.
  if (address.includes('${')) return err('Write the address itself, without variables.');
  const endpoint = endpointOf(`${section}.${anyModel}`, sections, { variables: {}, projectEnv: {}, hasValues: true });
  if (!endpoint.ok) return err(endpoint.error.replace(/^Model '[^']*' is not served: /, ''));
  if (endpoint.value === undefined || !URL.canParse(endpoint.value.address)) return err(notAnAddress);
  return { ok: true, value: { provider, endpoint: endpoint.value } };
}
