import { expect, test } from 'vitest';
import { listOf } from '@/lib/tools/mcp/address-kinds';
import { plainAddress, senderOf } from './forwarded';

const trusted = listOf(['127.0.0.0/8', '::1/128', '10.0.0.0/24', 'fd00::/8']);
const from = (peer: string, forwardedFor?: string | string[], proto?: string) =>
  senderOf(peer, { 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': proto }, trusted);

test.each([
  ['no header', '127.0.0.1', undefined, '127.0.0.1'],
  ['one hop', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a peer as IPv4 in IPv6', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['a client as IPv4 in IPv6', '10.0.0.9', '::ffff:203.0.113.7', '203.0.113.7'],
  ['a client in the other notation of IPv4 in IPv6', '10.0.0.9', '::FFFF:cb00:7107', '203.0.113.7'],
  ['an IPv6 client', '::1', '2001:DB8:0:0::7', '2001:db8::7'],
  ['an IPv6 client with brackets and port', '::1', '[2001:db8::7]:51234', '2001:db8::7'],
  ['an IPv6 client with a zone', 'fd00::2', 'fe80::7%eth0', 'fe80::7'],
  ['an IPv4 client with a port', '127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
  ['several proxies', '127.0.0.1', '203.0.113.7, 10.0.0.3, 10.0.0.4', '203.0.113.7'],
  ['a proxy in IPv6', '127.0.0.1', '203.0.113.7, [fd12::4]:443', '203.0.113.7'],
  ['what the client wrote itself, at the left', '127.0.0.1', '1.1.1.1, 127.0.0.1, 203.0.113.7', '203.0.113.7'],
  ['a proxy that is not trusted', '127.0.0.1', '1.1.1.1, 198.51.100.2, 10.0.0.3', '198.51.100.2'],
  ['only proxies', '127.0.0.1', '10.0.0.3, 10.0.0.4', '10.0.0.3'],
  ['a text instead of an address', '127.0.0.1', '203.0.113.7, unknown, 10.0.0.4', '10.0.0.4'],
  ['an empty list', '127.0.0.1', ' , ', '127.0.0.1'],
  ['several headers', '127.0.0.1', ['1.1.1.1', '203.0.113.7, 10.0.0.4'], '203.0.113.7'],
])('behind trusted proxies: %s', (_what, peer, header, address) => {
  expect(from(peer, header)).toEqual({ address, proto: undefined, isProxied: true });
});

test.each(['203.0.113.7', '10.0.1.1', '::ffff:203.0.113.7', '2001:db8::7'])(
  '%s is no trusted proxy, so what it forwards counts for nothing',
  (peer) => {
    const address = plainAddress(peer) ?? '';
    expect(from(peer, '127.0.0.1', 'https')).toEqual({ address, proto: undefined, isProxied: false });
  },
);

test('the scheme is what the first proxy says', () => {
  expect(from('127.0.0.1', '203.0.113.7', 'HTTPS').proto).toBe('https');
  expect(from('127.0.0.1', '203.0.113.7', 'https, http').proto).toBe('https');
  expect(from('127.0.0.1', '203.0.113.7', 'http').proto).toBe('http');
  expect(from('127.0.0.1', '203.0.113.7', 'ws').proto).toBeUndefined();
});

test.each([
  '',
  'unknown',
  '_hidden',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.4:',
  '1.2.3.4:port',
  '[1.2.3.4',
  'example.org',
  '::g',
])('%j is no address', (text) => {
  expect(plainAddress(text)).toBeUndefined();
});

test('a connection whose address is gone is unknown', () => {
  expect(from('', '203.0.113.7')).toEqual({ address: 'unknown', proto: undefined, isProxied: false });
});
