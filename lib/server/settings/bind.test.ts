import { expect, it, test } from 'vitest';
import { loopbackNetworks, readBind } from './bind';
import { EnvError, readEnv } from './env';

const publicUrl = 'https://callboard.example.org';

it.each([
  [{ CALLBOARD_HOST: '0.0.0.0' }, ['CALLBOARD_PUBLIC_URL must say at which address']],
  [{ CALLBOARD_HOST: '192.168.1.4', CALLBOARD_ACCOUNTS: '1' }, ['CALLBOARD_PUBLIC_URL must say at which address']],
  [{ CALLBOARD_HOST: '::', CALLBOARD_PUBLIC_URL: publicUrl, CALLBOARD_OPEN: '1' }, ['Remove CALLBOARD_OPEN.']],
  [
    { CALLBOARD_HOST: '::', CALLBOARD_PUBLIC_URL: publicUrl, CALLBOARD_ACCOUNTS: '0' },
    ['people need accounts. Remove CALLBOARD_ACCOUNTS=0.'],
  ],
  [{ CALLBOARD_HOST: '127.0.0.2', CALLBOARD_OPEN: '1' }, ['CALLBOARD_PUBLIC_URL must say', 'Remove CALLBOARD_OPEN.']],
])('the settings %o are refused with what to set', (source, expected) => {
  const { problems } = readBind(source);
  expect(problems).toEqual(expected.map((text) => expect.stringContaining(text)));
  expect(() => readEnv(source)).toThrow(EnvError);
});

it('an address that other machines reach means accounts, and loopback means none', () => {
  const open = readEnv({ CALLBOARD_HOST: '0.0.0.0', CALLBOARD_PUBLIC_URL: publicUrl });
  expect([open.host, open.accounts, open.trustedProxies]).toEqual(['0.0.0.0', true, loopbackNetworks]);
  for (const host of ['127.0.0.1', 'localhost', '::1', '[::1]']) {
    expect(readEnv({ CALLBOARD_HOST: host }).accounts).toBe(false);
    expect(readEnv({ CALLBOARD_HOST: host, CALLBOARD_ACCOUNTS: '1' }).accounts).toBe(true);
  }
  expect(readEnv({ HOST: 'localhost' })).toMatchObject({ host: 'localhost', accounts: false, trustedProxies: [] });
});

test('CALLBOARD_HOST comes before HOST', () => {
  expect(readBind({ HOST: 'localhost', CALLBOARD_HOST: '10.0.0.7' }).bind.host).toBe('10.0.0.7');
  expect(readBind({ CALLBOARD_HOST: '[FD00::1]' }).bind.host).toBe('fd00::1');
});

test.each([
  [{ CALLBOARD_HOST: 'callboard.example.org' }, /must be an IP address of this machine/],
  [{ CALLBOARD_HOST: '0.0.0.0:3000' }, /must be an IP address of this machine/],
  [{ CALLBOARD_ACCOUNTS: 'yes' }, /CALLBOARD_ACCOUNTS must be 1 or 0/],
  [{ CALLBOARD_ACCOUNTS: '1', CALLBOARD_OPEN: '1' }, /Remove one of the two/],
  [{ CALLBOARD_TRUSTED_PROXIES: 'proxy.example.org' }, /'proxy.example.org' is no address/],
  [{ CALLBOARD_TRUSTED_PROXIES: '10.0.0.1, 10.0.0.0/33' }, /'10.0.0.0\/33' is no address/],
  [{ CALLBOARD_TRUSTED_PROXIES: '0.0.0.0/0' }, /'0.0.0.0\/0' is no address/],
  [{ CALLBOARD_TRUSTED_PROXIES: '::/0' }, /'::\/0' is no address/],
  [{ CALLBOARD_TRUSTED_PROXIES: '10.0.0.0/8/8' }, /is no address/],
])('%o is refused with a sentence', (source, message) => {
  expect(() => readEnv(source)).toThrow(message);
});

test('proxies are addresses and networks; without the setting loopback is believed where a public address is set', () => {
  const proxies = (source: Record<string, string>) => readEnv(source).trustedProxies;
  expect(proxies({ CALLBOARD_TRUSTED_PROXIES: ' 10.0.0.5, fd00::/8 ,192.168.0.0/16,' })).toEqual([
    '10.0.0.5',
    'fd00::/8',
    '192.168.0.0/16',
  ]);
  expect(proxies({ CALLBOARD_PUBLIC_URL: publicUrl })).toEqual(loopbackNetworks);
  expect(proxies({})).toEqual([]);
});
