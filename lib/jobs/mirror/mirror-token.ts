import type { ProjectId } from '@/lib/base/ids';
import { keyVariables } from '@/lib/cards/models/providers';
import type { Store } from '@/lib/store/database';
import { noteSecretUses, type SealedSecret, sealedSecretsOf } from '@/lib/store/secrets';

export interface TokenSource {
  readonly store: Store;
  /** Returns the value of a secret, or `undefined` if no key opens it. */
  readonly open: (secret: SealedSecret) => string | undefined;
}

/**
 * Opens the token of a mirror. A secret of the project goes where its admins send it, unless it is only for other hosts. One of the
 * installation goes to the hosts that it names, because who administers a project could send it anywhere. A key of a model provider goes
 * to no mirror.
 */
export async function openToken(
  source: TokenSource,
  project: ProjectId,
  { secret: name, url }: { readonly secret: string; readonly url: string },
): Promise<{ readonly token: string } | { readonly problem: string }> {
  if (keyVariables.includes(name)) return { problem: `${name} is the key of a model provider. Set another secret.` };
  const secret = (await sealedSecretsOf(source.store, project, { accounts: false })).findLast(
    (each) => each.name === name,
  );
  if (secret === undefined) return { problem: `There is no secret ${name}. Set it in Settings, Secrets.` };
  const { host } = new URL(url);
  const { hosts } = secret;
  if (hosts.length > 0 && !hosts.includes(host)) {
    return { problem: `The secret ${name} is only for ${hosts.join(', ')}. Add ${host} to it.` };
  }
  if (hosts.length === 0 && secret.project === null) {
    return {
      problem: `The secret ${name} is one of the installation. Make it one of the project, or have it name ${host}.`,
    };
  }
  const token = source.open(secret);
  if (token === undefined) return { problem: `The secret ${name} does not open. Set it anew in Settings, Secrets.` };
  await noteSecretUses(source.store, project, [secret]);
  return { token };
}
