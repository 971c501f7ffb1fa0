import { type LookupAddress, type LookupAllOptions, type LookupOneOptions, lookup } from 'node:dns';
import { type BlockList, isIP } from 'node:net';
import { inList, kindOf, listOf, readings } from './address-kinds';
import type { OwnAddress } from './own-addresses';

/**
 * Decides which addresses may be called.
 *
 *   - never: link-local and cloud metadata addresses, which give out the machine's credentials, and the ports of Callboard
 *     and its database
 *   - if an operator allows it: private ranges
 *   - always: loopback
 */
export interface AddressGuard {
  /**
   * Says why the text of this URL forbids calling it. Returns `undefined` if nothing in the text does; the address is
   * checked later.
   */
  problemOf(url: URL): string | undefined;
  /**
   * Returns a `lookup` for Node's sockets to that URL. It checks the address when connecting, because a name may resolve to
   * another address the second time (DNS rebinding).
   */
  lookupFor(url: URL): GuardedLookup;
}

export type GuardedLookup = (
  hostname: string,
  options: LookupOneOptions | LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** The error of a forbidden lookup. Users may see its message. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

export interface AddressGuardOptions {
  /**
   * With `private`, loopback counts as a private address. This is for addresses that come from another machine. The default
   * is `open`.
   */
  readonly loopback?: 'open' | 'private';
  /** Addresses that are never called, even if an operator allows them. */
  readonly own?: readonly OwnAddress[] | undefined;
}

/**
 * Creates a guard. `allowPrivate` is the value of CALLBOARD_ALLOW_PRIVATE_URLS: unset or `0` allows none, `1` allows all,
 * any other value is a comma-separated list of host names, `*.suffixes`, addresses and networks (`10.1.0.0/16`).
 */
export function createAddressGuard(
  allowPrivate: string | undefined,
  { loopback = 'open', own = [] }: AddressGuardOptions = {},
): AddressGuard {
  const allowed = readAllowed(allowPrivate);

  function refusal(host: string, address: string, port: number): string | undefined {
    const kind = kindOf(address);
    const shown = host === address ? `'${host}'` : `'${host}' (${address})`;
    if (kind === 'forbidden') return `${shown} is a link-local, cloud metadata or multicast address.`;
    const ours = own.find((each) => each.port === port && each.has(address));
    if (ours !== undefined) return isOurs(host, ours);
    const isOpen = kind === 'open' || (kind === 'loopback' && loopback === 'open');
    if (isOpen || allowed.all || allowed.hosts.some((name) => fits(name, host))) return undefined;
    if (readings(address).some((one) => inList(allowed.networks, one))) return undefined;
    return `${shown} is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS.`;
  }

  return {
    problemOf(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return `'${url.protocol}' addresses are not supported.`;
      const host = hostOf(url.hostname);
      if (metadataNames.has(host)) return `'${host}' is a cloud metadata service.`;
      const port = portOf(url);
      if (isIP(host) !== 0) return refusal(host, host, port);
      const ours = own.find(
        (each) => each.port === port && (each.host === host || (isLocalName(host) && each.has('127.0.0.1'))),
      );
      return ours === undefined ? undefined : isOurs(host, ours);
    },
    lookupFor(url) {
      const port = portOf(url);
      return (hostname, options, callback) => {
        lookup(hostname, { ...options, all: true }, (error, addresses) => {
          if (error) return callback(error, []);
          const host = hostOf(hostname);
          // If a name has several addresses, a single forbidden one rejects the name.
          const problem = addresses
            .map(({ address }) => refusal(host, address, port))
            .find((text) => text !== undefined);
          if (problem !== undefined) return callback(new AddressRefused(problem), []);
          const [first] = addresses;
          if (options.all || first === undefined) callback(null, addresses);
          else callback(null, first.address, first.family);
        });
      };
    },
  };
}

function isOurs(host: string, { what, port }: OwnAddress): string {
  return `'${host}:${port}' is ${what}, which a project may not call.`;
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata', 'instance-data']);

/** True if the text of a host names this machine. */
export function isThisMachine(host: string): boolean {
  const name = hostOf(host);
  return isLocalName(name) || (isIP(name) !== 0 && kindOf(name) === 'loopback');
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

interface Allowed {
  readonly all: boolean;
  readonly hosts: readonly string[];
  readonly networks: BlockList;
}

function readAllowed(text = ''): Allowed {
  const entries = text
    .split(',')
    .map((entry) => hostOf(entry.trim()))
    .filter((entry) => entry !== '' && !/^(?:0|off|no|false)$/.test(entry));
  const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  return {
    all: entries.some((entry) => /^(?:1|on|yes|true|\*)$/.test(entry)),
    hosts: entries.filter((entry) => !isNetwork(entry)),
    networks: listOf(entries.filter(isNetwork)),
  };
}

function fits(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host;
}

function hostOf(name: string): string {
  return name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
