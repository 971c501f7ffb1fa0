import { type LookupAddress, type LookupAllOptions, type LookupOneOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Which addresses servers may be called at. Link-local and cloud metadata addresses hand out credentials of the machine
 * and are never called. Private ranges are called only where an operator allows it; this machine always.
 */
export interface AddressGuard {
  /** Why this URL is not called, as far as its text says. */
  problemOf(url: URL): string | undefined;
  /**
   * A `lookup` for node's sockets that refuses what a name resolves to, at the moment of connecting: a name that points
   * elsewhere the second time (DNS rebinding) gains nothing.
   */
  readonly lookup: GuardedLookup;
}

export type GuardedLookup = (
  hostname: string,
  options: LookupOneOptions | LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/** The error of a lookup that was refused; its message is fit to show. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/**
 * `allowPrivate` as in CALLBOARD_ALLOW_PRIVATE_URLS: unset or `0` for none, `1` for all, else host names, `*.suffixes`,
 * addresses and networks (`10.1.0.0/16`) with commas between them. `loopback: 'private'`: this machine counts as private,
 * for addresses that somebody elsewhere names.
 */
export function createAddressGuard(
  allowPrivate: string | undefined,
  { loopback = 'open' }: { readonly loopback?: 'open' | 'private' } = {},
): AddressGuard {
  const allowed = readAllowed(allowPrivate);

  function refusal(host: string, address: string): string | undefined {
    const kind = kindOf(address);
    const shown = host === address ? `'${host}'` : `'${host}' (${address})`;
    if (kind === 'forbidden') return `${shown} is a link-local, cloud metadata or multicast address.`;
    const isOpen = kind === 'open' || (kind === 'loopback' && loopback === 'open');
    if (isOpen || allowed.all || allowed.hosts.some((name) => fits(name, host))) return undefined;
    if (inList(allowed.networks, address)) return undefined;
    return `${shown} is a private address. An operator allows it with CALLBOARD_ALLOW_PRIVATE_URLS.`;
  }

  return {
    problemOf(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return `'${url.protocol}' addresses are not supported.`;
      const host = hostOf(url.hostname);
      if (metadataNames.has(host)) return `'${host}' is a cloud metadata service.`;
      return isIP(host) === 0 ? undefined : refusal(host, host);
    },
    lookup(hostname, options, callback) {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, []);
        const host = hostOf(hostname);
        // One bad address among good ones is refused too: nobody has both for an honest reason.
        const problem = addresses.map(({ address }) => refusal(host, address)).find((text) => text !== undefined);
        if (problem !== undefined) return callback(new AddressRefused(problem), []);
        const [first] = addresses;
        if (options.all || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
}

const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata', 'instance-data']);

const forbidden = listOf([
  '169.254.0.0/16',
  'fe80::/10',
  // Metadata services outside the link-local range: Alibaba, Azure, AWS over IPv6, Google over IPv6.
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
]);
/** `0.0.0.0` and `::` reach this machine, and are written by people who mean it. */
const thisMachine = listOf(['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128']);
const privateRanges = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '240.0.0.0/4',
  'fc00::/7',
  'fec0::/10',
]);

function kindOf(address: string): 'open' | 'loopback' | 'private' | 'forbidden' {
  const plain = withoutWrapping(address);
  if (inList(forbidden, plain)) return 'forbidden';
  if (inList(thisMachine, plain)) return 'loopback';
  return inList(privateRanges, plain) ? 'private' : 'open';
}

/** Whether a host is this machine by its text alone. */
export function isThisMachine(host: string): boolean {
  const name = hostOf(host);
  return name === 'localhost' || name.endsWith('.localhost') || (isIP(name) !== 0 && kindOf(name) === 'loopback');
}

/** The IPv4 address inside an IPv6 one: `::ffff:a.b.c.d`, `::a.b.c.d`, NAT64 `64:ff9b::…`, 6to4 `2002:…`. */
function withoutWrapping(address: string): string {
  const text = address.split('%')[0] ?? '';
  if (!isIPv6(text)) return text;
  const words = wordsOf(text);
  const v4 = (high = 0, low = 0) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  const isZero = (count: number) => words.slice(0, count).every((word) => word === 0);
  if (isZero(5) && words[5] === 0xffff) return v4(words[6], words[7]);
  if (isZero(6) && (words[6] !== 0 || (words[7] ?? 0) > 1)) return v4(words[6], words[7]);
  if (words[0] === 0x64 && words[1] === 0xff9b) return v4(words[6], words[7]);
  if (words[0] === 0x2002) return v4(words[1], words[2]);
  return text;
}

function wordsOf(address: string): number[] {
  // The URL parser writes an embedded dotted part as two words.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const before = read(head);
  const after = tail === undefined ? [] : read(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
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

/** Entries that are no network are left out. */
function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', given] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const prefix = given === undefined ? most : Number(given);
    if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) list.addSubnet(address, prefix, family);
  }
  return list;
}

function inList(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function hostOf(name: string): string {
  return name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
