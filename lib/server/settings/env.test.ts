import path from 'node:path';
import { expect, test } from 'vitest';
import { EnvError, readEnv } from './env';
import { withoutProvider } from './oidc-settings';

test('nothing set means the defaults', () => {
  expect(readEnv({})).toEqual({
    boundEnv: {},
    bound: new Map(),
    unplaced: [],
    port: 3000,
    host: '127.0.0.1',
    accounts: false,
    trustedProxies: [],
    databaseUrl: undefined,
    dataFolder: path.resolve('.callboard'),
    workers: 1,
    watchdogSeconds: 10,
    models: {},
    python: { enabled: false, interpreter: 'python3' },
    shell: false,
    open: false,
    allowPrivateUrls: undefined,
    projectEnv: {},
    readingSeconds: 5,
    prices: [],
    spanVariables: {},
    notify: { publicUrl: undefined, webhook: undefined, mail: undefined },
    notifyVariables: {},
  });
});

test('an empty value counts as unset', () => {
  expect(readEnv({ PORT: '', HOST: '', DATABASE_URL: '', CALLBOARD_DATA: '' })).toEqual(readEnv({}));
});

test('values are read', () => {
  const env = readEnv({
    PORT: '8080',
    HOST: 'localhost',
    DATABASE_URL: 'postgres://u:p@db/x',
    CALLBOARD_DATA: '/var/data',
    CALLBOARD_WORKERS: '4',
    CALLBOARD_WATCHDOG_SECONDS: '30',
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    CALLBOARD_PYTHON: '/opt/venv/bin/python',
    CALLBOARD_SHELL: '1',
    CALLBOARD_OPEN: '1',
    CALLBOARD_ALLOW_PRIVATE_URLS: '10.0.0.0/8',
    CALLBOARD_PROJECT_ENV: 'TOKEN, UNSET',
    TOKEN: 'hush',
    OTHER: 'not listed',
    CALLBOARD_READING_SECONDS: '0.5',
  });
  expect(env).toEqual({
    boundEnv: {},
    bound: new Map(),
    unplaced: [],
    port: 8080,
    host: 'localhost',
    accounts: false,
    trustedProxies: [],
    databaseUrl: 'postgres://u:p@db/x',
    dataFolder: '/var/data',
    workers: 4,
    watchdogSeconds: 30,
    models: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    python: { enabled: true, interpreter: '/opt/venv/bin/python' },
    shell: true,
    open: true,
    allowPrivateUrls: '10.0.0.0/8',
    projectEnv: { TOKEN: 'hush', UNSET: undefined },
    readingSeconds: 0.5,
    prices: [],
    spanVariables: {},
    notify: { publicUrl: undefined, webhook: undefined, mail: undefined },
    notifyVariables: {},
  });
});

test.each([
  ['1', { enabled: true, interpreter: 'python3' }],
  ['on', { enabled: true, interpreter: 'python3' }],
  ['0', { enabled: false, interpreter: 'python3' }],
  ['off', { enabled: false, interpreter: 'python3' }],
])('CALLBOARD_PYTHON=%s', (CALLBOARD_PYTHON, python) => {
  expect(readEnv({ CALLBOARD_PYTHON }).python).toEqual(python);
});

test.each([
  [{ PORT: 'abc' }, /PORT/],
  [{ PORT: '70000' }, /PORT/],
  [{ PORT: '3.5' }, /PORT/],
  [{ CALLBOARD_SHELL: 'yes' }, /CALLBOARD_SHELL must be 1 or 0/],
  [{ CALLBOARD_OPEN: 'yes' }, /CALLBOARD_OPEN must be 1 or 0/],
  [{ HOST: '0.0.0.0' }, /HOST must be/],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf/,
  ],
  [{ HOST: '192.168.1.4' }, /set CALLBOARD_HOST/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ CALLBOARD_WORKERS: '0' }, /CALLBOARD_WORKERS/],
  [{ CALLBOARD_WATCHDOG_SECONDS: '-1' }, /CALLBOARD_WATCHDOG_SECONDS must be 0 or more/],
  [{ OPENAI_BASE_URL: 'localhost:1234' }, /OPENAI_BASE_URL/],
  [
    { CALLBOARD_PROJECT_ENV: 'A,OPENAI_API_KEY' },
    /OPENAI_API_KEY belongs to a model provider and goes to that provider alone/,
  ],
  [{ CALLBOARD_PROJECT_ENV: 'A B' }, /'A B' is not a variable name/],
])('%o is refused with a sentence', (source, message) => {
  expect(() => readEnv(source)).toThrow(EnvError);
  expect(() => readEnv(source)).toThrow(message);
});

test('every fault is named at once', () => {
  expect(() => readEnv({ PORT: 'x', HOST: 'y' })).toThrow(/PORT.*\nHOST/);
});

test('a process that signs nobody in starts without the secret of the provider', () => {
  const sent = {
    CALLBOARD_OIDC_ISSUER: 'https://login.example.org',
    CALLBOARD_OIDC_CLIENT_ID: 'callboard',
    CALLBOARD_OIDC_LABEL: 'Sign in with the office',
    PORT: '4000',
  };
  expect(() => readEnv(sent)).toThrow('CALLBOARD_OIDC_CLIENT_SECRET is missing');
  expect(readEnv(withoutProvider(sent))).toMatchObject({ port: 4_000, oidc: undefined });
});
