import { type BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Who sent a request, when reverse proxies may stand between.
 *
 *   client ──▶ proxy A ──▶ proxy B ──▶ Callboard
 *              adds "client"  adds "A"      peer: B
 *
 * Each proxy appends the address of its peer to `X-Forwarded-For`, and everything that the client itself wrote is at the left. So
 * the list is read from the right, for as long as the one who wrote the entry is trusted.
 */
export interface Sender {
  /** The address in its usual form, without port and zone; an IPv4 address is never written as IPv6. */
  readonly address: string;
  /** The scheme that the client used, as a trusted proxy says it. `undefined` if none says so. */
  readonly proto: 'http' | 'https' | undefined;
  /** True if the peer of the connection is a trusted proxy. */
  readonly isProxied: boolean;
}

/** Headers by name in lower case, as Node gives them. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the sender. `peer` is the address of the connection's other end. */
export function senderOf(peer: string, headers: Headers, trusted: BlockList): Sender {
  const nearest = plainAddress(peer) ?? 'unknown';
  if (!isTrusted(nearest, trusted)) return { address: nearest, proto: undefined, isProxied: false };
  const hops = entriesOf(headers['x-forwarded-for']);
  let address = nearest;
  while (isTrusted(address, trusted)) {
    const hop = hops.pop();
    const next = hop === undefined ? undefined : plainAddress(hop);
    if (next === undefined) break;
    address = next;
  }
  const [scheme] = entriesOf(headers['x-forwarded-proto']);
  const proto = scheme === 'http' || scheme === 'https' ? scheme : undefined;
  return { address, proto, isProxied: true };
}

/** Returns the usual form of an address that may have a port, brackets or a zone. `undefined` for any other text. */
export function plainAddress(text: string): string | undefined {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const withoutPort = bracketed ?? (/^[^:]+:\d{1,5}$/.test(text) ? text.replace(/:\d+$/, '') : text);
  const address = withoutPort.replace(/%.*$/, '');
  if (isIP(address) === 0) return undefined;
  if (!isIPv6(address)) return address;
  const usual = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(usual);
  if (mapped === null) return usual;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function entriesOf(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
}
