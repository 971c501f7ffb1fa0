import type { Clock } from '@/lib/base/clock';
import type { ProviderSections } from '@/lib/cards/config';
import type { ProviderVariables } from '@/lib/cards/models/providers';
import { defaultSettings, type Settings } from '@/lib/cards/settings';
import { createModels } from '@/lib/models/create-models';
import type { TransportGuard } from '@/lib/models/http-transport';
import type { Dialect } from '@/lib/models/openai-request';
import type { ModelPort } from '@/lib/runtime/ports';

/**
 * Makes a model port with these environment variables, for tests and benchmarks. Without `guard` all addresses are allowed.
 */
export function modelsWith(
  variables: ProviderVariables,
  clock: Clock,
  more: {
    readonly settings?: Settings;
    readonly providers?: ProviderSections;
    readonly guard?: TransportGuard;
  } = {},
): ModelPort {
  const env = { variables, projectEnv: {}, hasValues: true };
  const { settings = defaultSettings, providers = {}, guard = unguarded } = more;
  return createModels({ env, providers, settings, clock, guard });
}

const unguarded: TransportGuard = {
  problemOf: () => 'the test guards nothing, so nothing guarded is called.',
  lookupFor: () => (_host, _options, callback) => callback(new Error('not in tests'), '', 4),
};

/** How api.openai.com is spoken to before it has refused anything. */
export const officialDialect: Dialect = {
  official: true,
  origin: 'chat api.openai.com',
  refused: [],
  onIgnored: () => undefined,
};
