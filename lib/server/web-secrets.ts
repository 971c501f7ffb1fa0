import { shownProviderVariables } from '@/lib/cards/models/providers';
import { writeHookKeys } from '@/lib/store/hook-secret';
import { ensureSecretKey, type KeySettings, oldSecretKeys } from './secret-key';
import type { Env } from './settings/env';
import { writePriceList } from './settings/price-variable';

/**
 * Returns the variables that the launcher sends to the web process. In place of a provider's key it gets the word `set`, so it knows which
 * keys there are. It can seal values, and opens none but the secrets of webhooks: the secret key does not follow from what is derived from it.
 */
export function secretsOfWeb(
  env: KeySettings & Pick<Env, 'models' | 'oidc' | 'prices'>,
): Readonly<Record<string, string | undefined>> {
  const key = ensureSecretKey(env);
  const keys = [key, ...oldSecretKeys(env)];
  return {
    ...shownProviderVariables(env.models),
    CALLBOARD_SEALING_KEY: key.publicKey,
    CALLBOARD_LINK_KEY: key.linkKey,
    CALLBOARD_ACCOUNTS_KEY: keys.map(({ accountsKey }) => accountsKey).join(','),
    CALLBOARD_HOOKS_KEY: writeHookKeys(keys),
    CALLBOARD_OIDC_CLIENT_SECRET: env.oidc?.clientSecret,
    CALLBOARD_PRICE_LIST: writePriceList(env.prices),
  };
}
