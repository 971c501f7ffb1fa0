import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * Says why a server's address may not be called: cloud metadata services and link-local addresses hand out credentials of
 * the machine. Names are resolved first. Undefined: allowed, or the name cannot be resolved, which connecting will report.
 */
export async function refuseAddress(url: URL): Promise<string | undefined> {
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `'${url.protocol}' addresses are not supported.`;
  if (metadataNames.has(host)) return `'${host}' is a cloud metadata service.`;
  const addresses = isIP(host) ? [host] : await resolve(host);
  const refused = addresses.find(isRefused);
  return refused === undefined ? undefined : `'${host}' is a link-local or cloud metadata address (${refused}).`;
}

const metadataNames: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata', 'instance-data']);
const metadataAddresses: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254']);

async function resolve(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function isRefused(address: string): boolean {
  const plain = address.toLowerCase().split('%')[0] ?? '';
  if (plain.includes('.')) {
    const v4 = plain.slice(plain.lastIndexOf(':') + 1);
    return v4.startsWith('169.254.') || metadataAddresses.has(v4);
  }
  // `::ffff:a9fe:…` is 169.254.… written as IPv6.
  return /^fe[89ab]/.test(plain) || /^::(ffff:)?a9fe:/.test(plain) || metadataAddresses.has(plain);
}
