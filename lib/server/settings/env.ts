import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type GivenVariables, pickProjectEnv, readListedVariables } from '@/lib/base/project-env';
import { addressVariables, type ProviderVariables, pickProviderVariables } from '@/lib/cards/models/providers';
import { type ExportSettings, exportVariables, readExportSettings } from '@/lib/interop/otlp/export-settings';
import { type NotifySettings, notifyVariables, readNotifySettings } from '@/lib/jobs/notify/notify-settings';
import type { PythonSetting } from '@/lib/sandbox/python/python-setting';
import { pythonSetting } from '@/lib/sandbox/python/python-setting';
import { isSecretKey } from '@/lib/store/key-text';
import type { OwnPrice } from '@/lib/trace/own-prices';
import { appFolder } from './app-folder';
import { readBind } from './bind';
import { dataFolderOf } from './data-folder';
import { type OidcSettings, readOidcSettings } from './oidc-settings';
import { readPrices } from './price-file';
import { environment, rememberVariable } from './process-env';

/** Of the variables for `${NAME}` in projects the web process has only the names. */
export interface Env extends GivenVariables {
  readonly port: number;
  /** A loopback name, or an IP address at which other machines can connect. */
  readonly host: string;
  /** True if people sign in with accounts. */
  readonly accounts: boolean;
  /** Addresses and networks of reverse proxies whose forwarded headers are read. */
  readonly trustedProxies: readonly string[];
  /** The database's address. With `undefined` Callboard starts its own Postgres. */
  readonly databaseUrl: string | undefined;
  /** An absolute path. The folder holds the database, logs and working copies. */
  readonly dataFolder: string;
  readonly workers: number;
  /** A process whose main thread does not respond for this time is ended and started again. 0 means never. */
  readonly watchdogSeconds: number;
  /** The keys and addresses of model providers, by name. The web process only knows which keys are set. */
  readonly models: ProviderVariables;
  /** Says whether `.py` tools and hooks may run, and with which Python. */
  readonly python: PythonSetting;
  /** True if agents with `shell: true` may run commands. */
  readonly shell: boolean;
  /** True if every user of this machine may use the app without the token. */
  readonly open: boolean;
  /** The private addresses of MCP servers that may be called (docs/mcp.md); `undefined` means none. */
  readonly allowPrivateUrls: string | undefined;
  /** Where workers send spans while runs go on; `undefined` means nowhere. */
  readonly spans: ExportSettings | undefined;
  /** The variables that say so, as they are set. They may hold secrets. */
  readonly spanVariables: Readonly<Record<string, string | undefined>>;
  /** Where notices of questions go. The web process has only the public address. */
  readonly notify: NotifySettings;
  /** The variables that say so, as they are set. They may hold secrets. */
  readonly notifyVariables: Readonly<Record<string, string | undefined>>;
  /** The key that opens secrets; `undefined` for the file of the data folder. */
  readonly secretKey: string | undefined;
  /** The key of before, while values are still sealed to it. */
  readonly oldSecretKey: string | undefined;
  /** The key with which the web process seals secrets. It opens none. */
  readonly sealingKey: string | undefined;
  /** The provider with which people with accounts may sign in. */
  readonly oidc: OidcSettings | undefined;
  /** The time limit for reading one folder. Beyond it, the result is the Issue `too-complex`. */
  readonly readingSeconds: number;
  /** The operator's prices of models. */
  readonly prices: readonly OwnPrice[];
}

const whole = (name: string, min: number, max: number) =>
  z.coerce
    .number({ error: `${name} must be a whole number from ${min} to ${max}.` })
    .int(`${name} must be a whole number from ${min} to ${max}.`)
    .min(min, `${name} must be ${min} or more.`)
    .max(max, `${name} must be ${max} or less.`);

const url = (name: string, pattern: RegExp, example: string) =>
  z.string().regex(pattern, `${name} must be an address such as ${example}.`);

const secretKey = (name: string) =>
  z.string().refine(isSecretKey, `${name} must have 32 bytes or more, in base64 or hex.`).optional();

const readingRange = 'CALLBOARD_READING_SECONDS must be a number from 0.01 to 600.';

const schema = z.object({
  ...Object.fromEntries(
    addressVariables.map((name) => [name, url(name, /^https?:\/\//, 'http://127.0.0.1:11434/v1').optional()] as const),
  ),
  PORT: whole('PORT', 1, 65_535).default(3000),
  DATABASE_URL: url('DATABASE_URL', /^postgres(ql)?:\/\//, 'postgresql://user:password@host/database').optional(),
  CALLBOARD_DATA: z.string().optional(),
  CALLBOARD_WORKERS: whole('CALLBOARD_WORKERS', 1, 64).default(1),
  CALLBOARD_WATCHDOG_SECONDS: whole('CALLBOARD_WATCHDOG_SECONDS', 0, 3_600).default(10),
  CALLBOARD_PYTHON: z.string().optional(),
  CALLBOARD_SHELL: z.enum(['0', '1'], 'CALLBOARD_SHELL must be 1 or 0.').optional(),
  CALLBOARD_OPEN: z.enum(['0', '1'], 'CALLBOARD_OPEN must be 1 or 0.').optional(),
  CALLBOARD_ALLOW_PRIVATE_URLS: z.string().optional(),
  CALLBOARD_PROJECT_ENV: z
    .string()
    .default('')
    .transform((list, context) => {
      const { listed, problems } = readListedVariables(list);
      for (const message of problems) context.addIssue({ code: 'custom', message });
      return listed;
    }),
  CALLBOARD_SECRET_KEY: secretKey('CALLBOARD_SECRET_KEY'),
  CALLBOARD_SECRET_KEY_OLD: secretKey('CALLBOARD_SECRET_KEY_OLD'),
  CALLBOARD_SEALING_KEY: z.string().optional(),
  CALLBOARD_READING_SECONDS: z.coerce.number(readingRange).min(0.01, readingRange).max(600, readingRange).default(5),
});

function pick(given: Readonly<Record<string, string | undefined>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
}

/** Thrown when some settings are not valid. The message names each with its reason, one per line. */
export class EnvError extends Error {}

/** Parses the settings once. An empty value counts as unset. Throws EnvError. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  const { bind, problems: bindProblems } = readBind(given);
  if (!parsed.success) {
    throw new EnvError([...parsed.error.issues.map((issue) => issue.message), ...bindProblems].join('\n'));
  }
  const env = parsed.data;
  const { settings: spans, problems } = readExportSettings(given);
  const { settings: notify, problems: notifyProblems } = readNotifySettings(given);
  const { settings: oidc, problems: oidcProblems } = readOidcSettings(given);
  const { prices, problems: priceProblems } = readPrices(given);
  const all = [...bindProblems, ...problems, ...notifyProblems, ...oidcProblems, ...priceProblems];
  if (all.length > 0) throw new EnvError(all.join('\n'));
  return {
    port: env.PORT,
    ...bind,
    databaseUrl: env.DATABASE_URL,
    dataFolder: dataFolderOf(given),
    workers: env.CALLBOARD_WORKERS,
    watchdogSeconds: env.CALLBOARD_WATCHDOG_SECONDS,
    models: pickProviderVariables(source),
    python: pythonSetting(env.CALLBOARD_PYTHON, given.PATH),
    shell: env.CALLBOARD_SHELL === '1',
    open: env.CALLBOARD_OPEN === '1',
    allowPrivateUrls: env.CALLBOARD_ALLOW_PRIVATE_URLS,
    ...pickProjectEnv(env.CALLBOARD_PROJECT_ENV, source, { accounts: bind.accounts }),
    spans,
    spanVariables: pick(given, exportVariables),
    notify,
    notifyVariables: pick(given, notifyVariables),
    secretKey: env.CALLBOARD_SECRET_KEY,
    oldSecretKey: env.CALLBOARD_SECRET_KEY_OLD,
    sealingKey: env.CALLBOARD_SEALING_KEY,
    oidc,
    readingSeconds: env.CALLBOARD_READING_SECONDS,
    prices,
  };
}

/** Secrets that a file may hold, as systemd and containers hand them over: `CALLBOARD_SECRET_KEY_FILE=/run/secrets/key`. */
const inFiles = [
  'DATABASE_URL',
  'CALLBOARD_SECRET_KEY',
  'CALLBOARD_SECRET_KEY_OLD',
  'CALLBOARD_OIDC_CLIENT_SECRET',
  'CALLBOARD_SMTP_URL',
] as const;

export const secretFileVariables: readonly string[] = inFiles.map((name) => `${name}_FILE`);

/**
 * Loads `.env` beside package.json, and the files that `…_FILE` names, into the environment. Variables that are already set keep their
 * value. Throws EnvError for a file that cannot be read.
 */
export function loadEnvFile(): void {
  const file = path.join(appFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  for (const name of inFiles) {
    const { [name]: value, [`${name}_FILE`]: from } = environment();
    if ((value ?? '') !== '' || (from ?? '') === '') continue;
    rememberVariable(name, readSecretFile(name, from ?? ''));
  }
}

function readSecretFile(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvError(`${name}_FILE cannot be read: ${reason}`);
  }
  if (text === '') throw new EnvError(`${name}_FILE names ${file}, which is empty.`);
  return text;
}
