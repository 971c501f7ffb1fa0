import { loopbackHosts } from '@/lib/server/settings/bind';
import type { Env } from '@/lib/server/settings/env';
import type { Finding } from './finding';

type Address = Pick<Env, 'host' | 'accounts' | 'open' | 'trustedProxies'> & {
  readonly notify: Pick<Env['notify'], 'publicUrl'>;
};

/** Checks that the address to listen on, the public address, accounts and proxies fit together. */
export function checkAddress({ host, accounts, open, trustedProxies, notify: { publicUrl } }: Address): Finding {
  const name = 'Address';
  if (publicUrl === undefined) {
    return { name, state: 'ok', detail: `${host}: this machine alone${open ? ', open to all its users' : ''}` };
  }
  const { protocol, hostname } = new URL(publicUrl);
  const detail = `${publicUrl}, ${accounts ? 'with accounts' : 'without accounts'}`;
  if (open) {
    const next = 'Remove CALLBOARD_OPEN=1: everybody who reaches the public address may do everything.';
    return { name, state: 'fail', detail, next };
  }
  if (!accounts) {
    const next =
      'Set CALLBOARD_ACCOUNTS=1, if more than one person uses it: all who have the token are the same person.';
    return { name, state: 'warn', detail, next };
  }
  if (protocol !== 'https:' && !loopbackHosts.includes(hostname)) {
    const next = 'Put a reverse proxy with TLS before it (docs/deploy.md): passwords cross the network in plain text.';
    return { name, state: 'warn', detail, next };
  }
  if (protocol === 'https:' && trustedProxies.length === 0) {
    const next = 'Name the reverse proxy in CALLBOARD_TRUSTED_PROXIES: requests of an unnamed one are refused.';
    return { name, state: 'fail', detail: `${detail}, and no trusted proxy`, next };
  }
  return { name, state: 'ok', detail };
}

const patienceMs = 5_000;

/**
 * Asks the public address for the health of the app, through proxy and TLS, as a person's browser goes. An app that refuses its proxy
 * says so in its answer.
 */
export async function checkPublicAddress(publicUrl: string): Promise<Finding> {
  const name = 'Public address';
  try {
    const answer = await fetch(new URL('/api/health', publicUrl), {
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await answer.text();
    if (answer.status === 403) {
      const next =
        'Set CALLBOARD_TRUSTED_PROXIES to the address of the proxy, and let it pass Host on (docs/deploy.md).';
      return { name, state: 'fail', detail: `refuses: ${messageIn(text)}`, next };
    }
    if (!text.includes('"web"')) {
      const next = 'Check CALLBOARD_PUBLIC_URL and the reverse proxy: something else answers there.';
      return { name, state: 'fail', detail: `${publicUrl} answers ${answer.status}, and is no Callboard`, next };
    }
    return { name, state: 'ok', detail: `${publicUrl} answers` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = `${publicUrl} cannot be reached from here: ${cause instanceof Error ? cause.message : String(cause)}`;
    return {
      name,
      state: 'warn',
      detail,
      next: 'Check DNS, certificate and reverse proxy, if people cannot open it either.',
    };
  }
}

function messageIn(text: string): string {
  return /"message":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200);
}
