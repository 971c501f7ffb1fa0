import { afterEach, expect, test, vi } from 'vitest';
import {
  accountsAreOn,
  appPort,
  environment,
  givenAppFolder,
  givenDataFolder,
  isDatabaseEmbedded,
  isOpen,
  knownDatabaseUrl,
  launcherFence,
  namesOfThisMachine,
  postgresPidFile,
  rememberDatabaseUrl,
  trustedProxies,
} from './process-env';

afterEach(() => vi.unstubAllEnvs());

const read = () => ({
  appFolder: givenAppFolder(),
  dataFolder: givenDataFolder(),
  port: appPort(),
  open: isOpen(),
  url: knownDatabaseUrl(),
  embedded: isDatabaseEmbedded(),
  pidFile: postgresPidFile(),
  fence: launcherFence(),
});

function given(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

test('what the launcher adds is read as it is now, not as it was when the process started', () => {
  given({
    CALLBOARD_APP_FOLDER: '/app',
    CALLBOARD_DATA: '/data',
    PORT: '4000',
    CALLBOARD_OPEN: '1',
    DATABASE_URL: '',
    CALLBOARD_DATABASE: 'embedded',
    CALLBOARD_POSTGRES_PID_FILE: '/data/pid',
    CALLBOARD_FENCE: 'hidden',
  });
  const first = {
    appFolder: '/app',
    dataFolder: '/data',
    port: 4000,
    open: true,
    embedded: true,
    pidFile: '/data/pid',
  };
  expect(read()).toEqual({ ...first, url: undefined, fence: 'hidden' });
  rememberDatabaseUrl('postgresql://callboard@127.0.0.1/callboard');
  expect(read().url).toBe('postgresql://callboard@127.0.0.1/callboard');
  expect(environment().DATABASE_URL).toBe('postgresql://callboard@127.0.0.1/callboard');
});

test('an empty value counts as unset, and an unknown one gives nothing away', () => {
  given({
    CALLBOARD_APP_FOLDER: '',
    CALLBOARD_DATA: '',
    PORT: 'http',
    CALLBOARD_OPEN: 'true',
    DATABASE_URL: '',
    CALLBOARD_DATABASE: '',
    CALLBOARD_POSTGRES_PID_FILE: '',
    CALLBOARD_FENCE: 'strong',
  });
  const unset = { appFolder: undefined, dataFolder: undefined, url: undefined, pidFile: undefined };
  expect(read()).toEqual({ ...unset, port: 3000, open: false, embedded: false, fence: 'none' });
});

test.each([
  [{}, false, 3],
  [{ CALLBOARD_HOST: '::1' }, false, 3],
  [{ CALLBOARD_HOST: '::1', CALLBOARD_ACCOUNTS: '1' }, true, 3],
  [{ CALLBOARD_HOST: '0.0.0.0', CALLBOARD_ACCOUNTS: '0' }, true, 3],
  [{ CALLBOARD_HOST: 'fd00::7' }, true, 4],
])('with the variables %o accounts are on: %s', (variables, accounts, names) => {
  given(variables);
  expect([accountsAreOn(), namesOfThisMachine().length]).toEqual([accounts, names]);
});

test('without a public address no proxy is believed, with one loopback is', () => {
  expect(trustedProxies()).toEqual([]);
  given({ CALLBOARD_PUBLIC_URL: 'https://callboard.example.org' });
  expect(trustedProxies()).toEqual(['127.0.0.0/8', '::1/128']);
  given({ CALLBOARD_TRUSTED_PROXIES: '' });
  expect(trustedProxies()).toEqual([]);
});
