import { expect, test } from 'vitest';
import { kindOf, mayReachThisMachine, readings } from './address-kinds';

/** 127.0.0.1 in every IPv6 form of an IPv4 address. */
const loopbackInside = [
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:127.0.0.1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b::127.0.0.1',
  '2002:7f00:1::',
  '2002:7f00:1::1',
  '2001:0:7f00:1:0:0:f7f7:f7f7',
  '2001::80ff:fffe',
  '2606:2800::5efe:127.0.0.1',
  '2606:2800::200:5efe:7f00:1',
  '::1',
  '::',
  '0.0.0.0',
  '127.255.255.254',
];

/** The prefix of a local NAT64 does not tell the position of the IPv4 address: all are tried, and the range is private. */
const perhapsInside = [
  '64:ff9b:1::127.0.0.1',
  '64:ff9b:1:7f00:0:100::',
  '64:ff9b:1:7f:0:1::',
  '64:ff9b:1:0:7f:0:100:0',
];

test.each(loopbackInside)('%s is this machine', (address) => {
  expect([kindOf(address), mayReachThisMachine(address)]).toEqual(['loopback', true]);
});

test.each(perhapsInside)('%s may be this machine', (address) => {
  expect([kindOf(address), readings(address).includes('127.0.0.1')]).toEqual(['private', true]);
});

test.each(
  [...loopbackInside, ...perhapsInside]
    .filter((address) => address.includes('127.0.0.1'))
    .map((address) => address.replace('127.0.0.1', '169.254.169.254')),
)('the IP address %s is never called', (address) => {
  expect(kindOf(address)).toBe('forbidden');
});

test.each([
  ['::ffff:0:10.0.0.1', 'private'],
  ['64:ff9b:1::8.8.8.8', 'private'],
  ['64:ff9b::8.8.8.8', 'open'],
  ['2002:0808:0808::', 'open'],
  ['2606:2800:220:1:248:1893:25c8:1946', 'open'],
  ['2001:4860:4860::8888', 'open'],
  ['fe80::1%eth0', 'forbidden'],
  ['8.8.8.8', 'open'],
] as const)('%s is %s', (address, kind) => {
  expect(kindOf(address)).toBe(kind);
});

test('an address that carries none is only itself', () => {
  expect(readings('2606:2800:220:1:248:1893:25c8:1946')).toEqual(['2606:2800:220:1:248:1893:25c8:1946']);
  expect(readings('::1%lo')).toEqual(['::1']);
});
