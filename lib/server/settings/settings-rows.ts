import { isIPv6 } from 'node:net';
import { unplacedLine } from '@/lib/base/project-env';
import { describeFence, type FenceKind } from '@/lib/sandbox/fence/fence-kind';
import { loopbackHosts } from './bind';
import type { Env } from './env';
import { providerRows } from './provider-rows';
import type { SettingRow } from './setting-row';

export interface SettingGroup {
  readonly title: string;
  readonly rows: readonly SettingRow[];
}

/**
 * Returns the settings of this process, as the settings page shows them. A secret is shown as set or not set, and an
 * address without its user and password. `embedded` is true if Callboard started the database itself. `fence` says how the
 * launcher can isolate processes.
 */
export function describeEnv(env: Env, embedded: boolean, fence: FenceKind = 'none'): readonly SettingGroup[] {
  return [
    { title: 'Models', rows: [...providerRows(env.models), priceRow(env)] },
    { title: 'Code', rows: codeRows(env, fence) },
    { title: 'Tools', rows: toolRows(env) },
    { title: 'This installation', rows: installationRows(env, embedded) },
  ];
}

function priceRow({ prices }: Env): SettingRow {
  const models = prices.map(({ pattern }) => pattern);
  return {
    label: 'Prices',
    variable: 'CALLBOARD_PRICES',
    value: models.length === 0 ? 'List prices' : `${models.slice(0, 5).join(', ')}${models.length > 5 ? ' …' : ''}`,
    isSet: models.length > 0,
    hint: 'A file with prices of your own models, and prices that replace those that Callboard knows. Costs are made with them.',
  };
}

function codeRows(env: Env, fence: FenceKind): readonly SettingRow[] {
  return [
    {
      label: 'Python',
      variable: 'CALLBOARD_PYTHON',
      value: env.python.enabled ? env.python.interpreter : 'Off',
      isSet: env.python.enabled,
      hint: 'Runs .py tools and hooks of any project as the user of the worker. TypeScript and JavaScript always run in a sandbox.',
    },
    {
      label: 'Shell',
      variable: 'CALLBOARD_SHELL',
      value: env.shell ? 'On' : 'Off',
      isSet: env.shell,
      hint: 'Lets agents whose cards say shell: true run commands as the user of the worker.',
    },
    {
      label: 'Isolation of processes',
      variable: 'docs/security.md',
      value: describeFence(fence).state,
      isSet: fence !== 'none',
      hint: describeFence(fence).meaning,
    },
  ];
}

function toolRows(env: Env): readonly SettingRow[] {
  const names = [
    ...Object.keys(env.projectEnv),
    ...[...env.bound].map(([name, places]) => `${name} (${places.join(', ')})`),
    ...env.unplaced.map((name) => `${name} (nowhere)`),
  ];
  return [
    {
      label: 'Private addresses',
      variable: 'CALLBOARD_ALLOW_PRIVATE_URLS',
      value: env.allowPrivateUrls ?? 'None',
      isSet: env.allowPrivateUrls !== undefined,
      hint: 'MCP servers and included texts in private networks that may be called: 1 for all, or a list of hosts and networks. This machine is always allowed, cloud metadata never.',
    },
    {
      label: 'Variables of projects',
      variable: 'CALLBOARD_PROJECT_ENV',
      value: names.length === 0 ? 'None' : names.join(', '),
      isSet: names.length > 0,
      hint: `Variables of the environment that MCP servers of any project may use. Keys of model providers are never passed on.${env.unplaced.length === 0 ? '' : ` ${unplacedLine(env.unplaced)}`}`,
    },
  ];
}

function installationRows(env: Env, embedded: boolean): readonly SettingRow[] {
  return [
    {
      label: 'Database',
      variable: 'DATABASE_URL',
      value: embedded || env.databaseUrl === undefined ? 'Built in' : withoutSecrets(env.databaseUrl),
      isSet: !embedded && env.databaseUrl !== undefined,
      hint: 'Postgres. Without an address Callboard starts its own.',
    },
    {
      label: 'Data folder',
      variable: 'CALLBOARD_DATA',
      value: env.dataFolder,
      hint: 'Holds the built-in database and the working copies of runs.',
    },
    {
      label: 'Workers',
      variable: 'CALLBOARD_WORKERS',
      value: String(env.workers),
      hint: 'Processes that execute runs.',
    },
    {
      label: 'Watchdog',
      variable: 'CALLBOARD_WATCHDOG_SECONDS',
      value: env.watchdogSeconds === 0 ? 'Off' : `${env.watchdogSeconds} s`,
      hint: 'A process that does not respond for this time is started again.',
    },
    {
      label: 'Address',
      variable: 'CALLBOARD_HOST, PORT',
      value: `http://${isIPv6(env.host) ? `[${env.host}]` : env.host}:${env.port}`,
      hint: loopbackHosts.includes(env.host)
        ? 'Only this machine can connect.'
        : 'Other machines can connect. Requests are accepted at the public address alone.',
    },
    {
      label: 'Public address',
      variable: 'CALLBOARD_PUBLIC_URL',
      value: env.notify.publicUrl ?? 'None',
      isSet: env.notify.publicUrl !== undefined,
      hint: 'A reverse proxy in front of Callboard. Links in notifications begin with it.',
    },
    {
      label: 'Trusted proxies',
      variable: 'CALLBOARD_TRUSTED_PROXIES',
      value: env.trustedProxies.length === 0 ? 'None' : env.trustedProxies.join(', '),
      isSet: env.trustedProxies.length > 0,
      hint: 'Reverse proxies that are believed when they say from where a request comes. Forwarded headers of others are removed.',
    },
    {
      label: 'Access',
      variable: 'CALLBOARD_OPEN',
      value: env.open ? 'Everybody on this machine' : 'Everybody who has the token',
      isSet: !env.open,
      hint: env.open
        ? 'Every user and program of this machine can read and change the projects here, and start runs.'
        : 'The address that npm start prints signs a browser in; scripts send what npx callboard token prints. 1 switches it off.',
    },
  ];
}

function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return 'Set';
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
