import type { Logger } from 'pino';
import type { ProjectId } from '@/lib/base/ids';
import { nameModel } from '@/lib/cards/models/name-model';
import { findProvider, keyVariables } from '@/lib/cards/models/providers';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { appendAudit } from '@/lib/store/audit';
import type { Store } from '@/lib/store/database';
import { openHookSecret, sealHookSecret } from '@/lib/store/hook-secret';
import { resealSignIns, signInLabel } from '@/lib/store/mcp-sign-ins';
import { resealTargets, webhookLabel } from '@/lib/store/notify-targets';
import { type OpeningKey, seal, sealNamed, unseal, unsealNamed } from '@/lib/store/sealing';
import { labelOf, noteSecretUses, resealSecrets, type SealedSecret, type UsableSecret } from '@/lib/store/secrets';
import { transaction } from '@/lib/store/transaction';
import { resealHooks } from '@/lib/store/triggers';
import type { RunContext } from './run-context';
import type { RunSurroundings } from './run-ports';

/**
 * Opens `sealed`, the secrets that runs of a project may use, and returns the context with their values: keys of model providers for models,
 * and others where servers and remote agents of the project name them. All of them are hidden in what is recorded. A secret of the
 * project replaces one of the installation, and both replace a variable of the environment.
 */
export async function withSecrets<C extends Pick<RunContext, 'store' | keyof SecretOpening | keyof RunSurroundings>>(
  context: C,
  project: ProjectId,
  { items, models }: Pick<CapabilityList, 'items' | 'models'>,
  sealed: readonly UsableSecret[],
): Promise<C> {
  if (sealed.length === 0) return context;
  const asked = new Set(items.flatMap(({ kind, name }) => (kind === 'variable' ? [name] : [])));
  const last = new Map(sealed.map((secret) => [secret.name, secret]));
  const wanted = [...last.values()].filter(({ name }) => isProviderKey(name) || asked.has(name));
  const opened = wanted.flatMap((secret) => {
    const value = openSecret(context, secret);
    return value === undefined ? [] : [{ ...secret, value }];
  });
  const serving = new Set(models.flatMap(({ model }) => keysOf(model)));
  const used = opened.filter(({ name }) => !isProviderKey(name) || serving.has(name));
  await noteSecretUses(context.store, project, used);
  const values = opened.map(({ name, value }) => [name, value] as const);
  const { modelEnv, hidden } = context;
  return {
    ...context,
    modelEnv: {
      ...modelEnv,
      variables: { ...modelEnv.variables, ...Object.fromEntries(values.filter(([name]) => isProviderKey(name))) },
      projectEnv: { ...modelEnv.projectEnv, ...Object.fromEntries(values.filter(([name]) => !isProviderKey(name))) },
      bound: new Map([...(modelEnv.bound ?? []), ...opened.map(({ name, hosts }) => [name, hosts] as const)]),
    },
    hidden: { ...hidden, everywhere: [...hidden.everywhere, ...values.map(([, value]) => value)] },
  };
}

/** The variables of keys that serve a model. */
function keysOf(model: string): readonly string[] {
  const named = nameModel(model);
  const provider = named.ok ? named.value.provider : undefined;
  return (provider !== undefined && findProvider(provider)?.keys) || [];
}

function isProviderKey(name: string): boolean {
  return keyVariables.includes(name);
}

export type SecretOpening = Pick<RunContext, 'keys' | 'log' | 'seen'>;

/** Opens a secret. One that no key opens is logged and `undefined`: the server that names it says that it is missing. */
export function openSecret({ keys, log, seen }: SecretOpening, secret: SealedSecret): string | undefined {
  const key = keys.find(({ id }) => id === secret.keyId);
  try {
    if (key !== undefined) {
      const value = unseal(secret.sealed, labelOf(secret.project, secret.name), key);
      seen?.add([value]);
      return value;
    }
    log.error({ secret: secret.name, key: secret.keyId }, 'the key of a secret is missing');
  } catch (error) {
    log.error({ secret: secret.name, err: error }, 'a secret does not open');
  }
  return undefined;
}

/** Seals values of earlier keys with the newest, all in one transaction with its audit entry. A worker does it when it starts. */
export async function sealAnew(store: Store, keys: readonly OpeningKey[], log: Logger): Promise<void> {
  const [newest, ...earlier] = keys;
  if (newest === undefined || earlier.length === 0) return;
  const keyOf = (sealed: string) => earlier.find(({ id }) => sealed.startsWith(`${id}:`));
  const changed = await transaction(store, async (connection) => {
    const secrets = await resealSecrets(connection, newest.id, ({ keyId, sealed, project, name }) => {
      const key = earlier.find(({ id }) => id === keyId);
      const label = labelOf(project, name);
      return key && seal(unseal(sealed, label, key), label, newest);
    });
    const notifications = await resealTargets(connection, newest.id, (id, sealed) => {
      const key = keyOf(sealed);
      return key && sealNamed(unsealNamed(sealed, webhookLabel(id), [key]), webhookLabel(id), newest);
    });
    const signIns = await resealSignIns(connection, newest.id, (id, sealed) => {
      const key = keyOf(sealed);
      return key && sealNamed(unsealNamed(sealed, signInLabel(id), [key]), signInLabel(id), newest);
    });
    const triggers = await resealHooks(connection, newest.id, (id, sealed) => {
      const secret = openHookSecret(sealed, id, earlier);
      return secret && sealHookSecret(secret, id, newest);
    });
    const body = { secrets, notifications, signIns, triggers };
    if (Object.values(body).every((count) => count === 0)) return undefined;
    const actor = { by: 'callboard', via: 'worker' };
    await appendAudit(connection, { actor, action: 'secrets.sealed_anew', object: newest.id, body });
    return body;
  });
  if (changed !== undefined) {
    log.info(changed, 'values are sealed with the new key; the old one is not needed any more');
  }
}
