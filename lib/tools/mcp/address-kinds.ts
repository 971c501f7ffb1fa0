import { BlockList, isIPv6 } from 'node:net';

/**
 * The kind of an address, in any notation. IPv6 can embed an IPv4 address in many ways, and each is read as the address
 * that a translator or the system would reach.
 */
export type AddressKind = 'open' | 'loopback' | 'private' | 'forbidden';

const forbidden = listOf([
  '169.254.0.0/16',
  'fe80::/10',
  // These are metadata services outside the link-local range: Alibaba, Azure, AWS over IPv6, Google over IPv6.
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
]);
/** `0.0.0.0` and `::` reach this machine too. */
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
  // Local NAT64 (RFC 8215).
  '64:ff9b:1::/48',
]);

/** Returns the strictest kind among all interpretations of an address. */
export function kindOf(address: string): AddressKind {
  const kinds = readings(address).map(kindOfOne);
  return strictestFirst.find((kind) => kinds.includes(kind)) ?? 'open';
}

/** Loopback is last, since it is allowed by default. */
const strictestFirst = ['forbidden', 'private', 'loopback'] as const;

function kindOfOne(address: string): AddressKind {
  if (inList(forbidden, address)) return 'forbidden';
  if (inList(thisMachine, address)) return 'loopback';
  return inList(privateRanges, address) ? 'private' : 'open';
}

/** True if at least one interpretation of the address is this machine. */
export function mayReachThisMachine(address: string): boolean {
  return readings(address).some((one) => inList(thisMachine, one));
}

/** Returns the address without its zone, and the IPv4 addresses that it may embed. */
export function readings(address: string): readonly string[] {
  const text = address.split('%')[0] ?? '';
  return isIPv6(text) ? [text, ...carried(wordsOf(text))] : [text];
}

/** Returns the IPv4 addresses embedded in the eight words of an IPv6 address. */
function carried(words: readonly number[]): readonly string[] {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0, w6 = 0, w7 = 0] = words;
  const last = dotted(w6, w7);
  const startsWithZeros = (count: number) => words.slice(0, count).every((word) => word === 0);
  // These are the mapped form ::ffff:a.b.c.d and the compatible form ::a.b.c.d (RFC 4291). `::` and `::1` embed nothing.
  if (startsWithZeros(5) && w5 === 0xffff) return [last];
  if (startsWithZeros(6)) return w6 === 0 && w7 <= 1 ? [] : [last];
  // This is the translated form ::ffff:0:a.b.c.d (RFC 2765).
  if (startsWithZeros(4) && w4 === 0xffff && w5 === 0) return [last];
  // This is NAT64 (RFC 6052, 2.2). With the well-known prefix the address is at the end; with a local prefix it is at one
  // of four positions.
  if (w0 === 0x64 && w1 === 0xff9b) {
    if (w2 !== 1) return [last];
    const after48 = dotted(w3, ((w4 & 0xff) << 8) | (w5 >> 8));
    const after56 = dotted(((w3 & 0xff) << 8) | (w4 & 0xff), w5);
    const after64 = dotted(((w4 & 0xff) << 8) | (w5 >> 8), ((w5 & 0xff) << 8) | (w6 >> 8));
    return [last, after48, after56, after64];
  }
  // This is 6to4 (RFC 3056).
  if (w0 === 0x2002) return [dotted(w1, w2)];
  // This is Teredo (RFC 4380). It embeds the server, and the client with every bit inverted.
  if (w0 === 0x2001 && w1 === 0) return [dotted(w2, w3), dotted(w6 ^ 0xffff, w7 ^ 0xffff)];
  // This is ISATAP (RFC 5214).
  return (w4 & 0xfdff) === 0 && w5 === 0x5efe ? [last] : [];
}

function dotted(high: number, low: number): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function wordsOf(address: string): number[] {
  // The URL parser converts an embedded dotted part to two words.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = plain.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)));
  const before = read(head);
  const after = tail === undefined ? [] : read(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** Makes a list of networks. Ignores entries that are not networks. */
export function listOf(networks: readonly string[]): BlockList {
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

export function inList(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
