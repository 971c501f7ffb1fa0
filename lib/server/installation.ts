import type { ProjectId } from '@/lib/base/ids';
import { keyVariables } from '@/lib/cards/models/providers';
import { secretNames } from '@/lib/store/secrets';
import { systemStore } from './services';
import type { Env } from './settings/env';
import { webEnv } from './settings/web-env';

/** What an installation offers the runs of a project. The web process knows which values are set, and none of them. */
export interface Installation extends Env {
  /** The names of secrets and of variables with places, that servers and remote agents may use. `models` has the keys of providers among the secrets. */
  readonly secrets: readonly string[];
}

/**
 * Returns the settings with the names of secrets that runs of a project may use; without a project those of the installation. When
 * the database cannot be read they are missing.
 */
export async function installationFor(project?: ProjectId): Promise<Installation> {
  const env = webEnv();
  const names = await systemStore((store) => secretNames(store, project, env)).catch((): readonly string[] => []);
  const keys = names.filter((name) => keyVariables.includes(name));
  return {
    ...env,
    models: { ...env.models, ...Object.fromEntries(keys.map((name) => [name, 'set'])) },
    secrets: [...names.filter((name) => !keys.includes(name)), ...env.bound.keys()],
  };
}
