import { isIP } from 'node:net';

/** Where the app listens, who may use it there, and which proxies it believes. */
export interface Bind {
  /** A loopback name, or the IP address of `CALLBOARD_HOST`. */
  readonly host: string;
  /** True if people sign in with accounts. Always true where other machines can connect. */
  readonly accounts: boolean;
  /** Addresses and networks whose forwarded headers are read. */
  readonly trustedProxies: readonly string[];
}

export const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

/** The proxies that are believed where a public address is set and CALLBOARD_TRUSTED_PROXIES is not. */
export const loopbackNetworks: readonly string[] = ['127.0.0.0/8', '::1/128'];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HOST`, `CALLBOARD_HOST`, `CALLBOARD_ACCOUNTS` and `CALLBOARD_TRUSTED_PROXIES`, and says as sentences what is wrong with
 * them, also together with `CALLBOARD_PUBLIC_URL` and `CALLBOARD_OPEN`.
 */
export function readBind(source: Variables): { readonly bind: Bind; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const host = readHost(source, problems);
  const isLoopback = loopbackHosts.includes(host);
  const given = source.CALLBOARD_ACCOUNTS;
  if (given !== undefined && !['0', '1'].includes(given)) problems.push('CALLBOARD_ACCOUNTS must be 1 or 0.');
  if (!isLoopback) problems.push(...problemsOfOtherBind(host, source));
  const accounts = given === '1' || !isLoopback;
  if (given === '1' && isLoopback && source.CALLBOARD_OPEN === '1') {
    problems.push('CALLBOARD_OPEN=1 lets everybody in, so accounts would protect nothing. Remove one of the two.');
  }
  const trustedProxies = readProxies(source, problems);
  return { bind: { host, accounts, trustedProxies }, problems };
}

function readHost({ HOST = '127.0.0.1', CALLBOARD_HOST }: Variables, problems: string[]): string {
  if (!loopbackHosts.includes(HOST)) {
    problems.push('HOST must be 127.0.0.1, localhost or ::1. To let other machines connect, set CALLBOARD_HOST.');
  }
  if (CALLBOARD_HOST === undefined) return loopbackHosts.includes(HOST) ? HOST : '127.0.0.1';
  const host = CALLBOARD_HOST.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (loopbackHosts.includes(host) || isIP(host) !== 0) return host;
  problems.push(
    'CALLBOARD_HOST must be an IP address of this machine, 0.0.0.0 for all of IPv4, or :: for all of IPv4 and IPv6.',
  );
  return '127.0.0.1';
}

function problemsOfOtherBind(host: string, source: Variables): readonly string[] {
  const problems: string[] = [];
  const opens = `CALLBOARD_HOST=${host} lets other machines connect`;
  if (source.CALLBOARD_PUBLIC_URL === undefined) {
    problems.push(
      `${opens}, so CALLBOARD_PUBLIC_URL must say at which address people open Callboard, such as https://callboard.example.org.`,
    );
  }
  if (source.CALLBOARD_OPEN === '1') {
    problems.push(`${opens}, and CALLBOARD_OPEN=1 would let all of them in. Remove CALLBOARD_OPEN.`);
  }
  if (source.CALLBOARD_ACCOUNTS === '0') {
    problems.push(`${opens}, so people need accounts. Remove CALLBOARD_ACCOUNTS=0.`);
  }
  return problems;
}

function readProxies(source: Variables, problems: string[]): readonly string[] {
  const text = source.CALLBOARD_TRUSTED_PROXIES;
  if (text === undefined) return source.CALLBOARD_PUBLIC_URL === undefined ? [] : loopbackNetworks;
  const networks = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const wrong = networks.find((each) => !isNetwork(each));
  if (wrong !== undefined) {
    problems.push(
      `CALLBOARD_TRUSTED_PROXIES: '${wrong.slice(0, 100)}' is no address such as 10.0.0.5 and no network such as 10.0.0.0/24.`,
    );
  }
  return networks;
}

/** True for an address, or a network of a part of all addresses. A prefix of 0 would believe everybody. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32);
}
