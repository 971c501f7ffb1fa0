import type { FenceKind } from '@/lib/sandbox/fence/fence-kind';
import { type HookKey, readHookKeys } from '@/lib/store/hook-secret';
import { loopbackHosts, loopbackNetworks } from './bind';

/*
 * The environment of this process. Nothing else in app, components and lib reads `process.env`; the linter holds that. Code
 * gets its settings as arguments. A value is read when it is asked for, because bin/web.mjs adds what the launcher sends.
 *
 *   what an operator sets     readEnv(environment()) in ./env: checked with the schema, once per start
 *   what the launcher adds    the functions below: the launcher has checked it, and a schema would be in the bundle of every page
 */

/** All variables, to be checked by `readEnv`, or to be passed on to a child process. */
export function environment(): Readonly<NodeJS.ProcessEnv> {
  return process.env;
}

/** The folder of package.json, which bin/typescript.mjs sets. `undefined` where that module was not loaded first. */
export function givenAppFolder(): string | undefined {
  return process.env.CALLBOARD_APP_FOLDER || undefined;
}

/** The folder of compiled sources, which bin/typescript.mjs sets. `undefined` where this process runs from sources. */
export function compiledFolder(): string | undefined {
  return process.env.CALLBOARD_COMPILED || undefined;
}

/** The data folder as the launcher passed it. `undefined` without a launcher. */
export function givenDataFolder(): string | undefined {
  return process.env.CALLBOARD_DATA || undefined;
}

/** The port that browsers and scripts use. */
export function appPort(): number {
  return Number(process.env.PORT) || 3000;
}

/** The address at which people reach this installation, if an operator has set it. The launcher has checked it. */
export function publicAddress(): URL | undefined {
  const text = process.env.CALLBOARD_PUBLIC_URL || undefined;
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

/** The key of links that answer questions, as the launcher sent it. Without a launcher no such link works. */
export function answerLinkKey(): string | undefined {
  return process.env.CALLBOARD_LINK_KEY || undefined;
}

/**
 * The names by which this machine calls the app, as in `Host`: those of loopback, and the address that the app listens on if
 * that is one of a network.
 */
export function namesOfThisMachine(): readonly string[] {
  const host = process.env.CALLBOARD_HOST || '127.0.0.1';
  const isOfNetwork = !loopbackHosts.includes(host) && host !== '0.0.0.0' && host !== '::';
  const names = ['localhost', '127.0.0.1', '[::1]'];
  return isOfNetwork ? [...names, host.includes(':') ? `[${host}]` : host] : names;
}

/** True if people sign in with accounts: CALLBOARD_ACCOUNTS=1, or other machines can connect. */
export function accountsAreOn(): boolean {
  const host = process.env.CALLBOARD_HOST || '127.0.0.1';
  return process.env.CALLBOARD_ACCOUNTS === '1' || !loopbackHosts.includes(host);
}

/** The addresses and networks whose forwarded headers are read. The launcher has checked them. */
export function trustedProxies(): readonly string[] {
  const text = process.env.CALLBOARD_TRUSTED_PROXIES;
  if (text === undefined) return publicAddress() === undefined ? [] : loopbackNetworks;
  return text.split(',').filter((each) => each !== '');
}

/** The keys of accounts, as the launcher sent them: the present one first, then those of before. */
export function accountsKeys(): readonly string[] {
  return (process.env.CALLBOARD_ACCOUNTS_KEY ?? '').split(',').filter((key) => key !== '');
}

/** The keys of webhooks, as the launcher sent them: the present one first, then those of before. */
export function hookKeys(): readonly HookKey[] {
  return readHookKeys(process.env.CALLBOARD_HOOKS_KEY ?? '');
}

/** The operator's prices of models, as the launcher has read and sent them. */
export function givenPriceList(): string | undefined {
  return process.env.CALLBOARD_PRICE_LIST || undefined;
}

/** True if CALLBOARD_OPEN switches sign-in off. */
export function isOpen(): boolean {
  return process.env.CALLBOARD_OPEN === '1';
}

/** The address of the database; in the web process `undefined` until the launcher has sent it. */
export function knownDatabaseUrl(): string | undefined {
  return process.env.DATABASE_URL || undefined;
}

/** Set in memory only: /proc does not show variables that are set after the start. */
export function rememberDatabaseUrl(url: string): void {
  rememberVariable('DATABASE_URL', url);
}

/** As `rememberDatabaseUrl`, for a secret that was in a file. */
export function rememberVariable(name: string, value: string): void {
  process.env[name] = value;
}

/** True if the launcher has started the database itself. */
export function isDatabaseEmbedded(): boolean {
  return process.env.CALLBOARD_DATABASE === 'embedded';
}

/** The pid file of the database that the launcher has started. */
export function postgresPidFile(): string | undefined {
  return process.env.CALLBOARD_POSTGRES_PID_FILE || undefined;
}

/** How processes of projects can be isolated, as the launcher has found out. Without a launcher nothing is known. */
export function launcherFence(): FenceKind {
  const found = process.env.CALLBOARD_FENCE;
  return found === 'hidden' || found === 'unreadable' ? found : 'none';
}

/** True if the launcher sends the secrets of this process; see ./process-variables. */
export function hasLauncherChannel(): boolean {
  return process.env[channelMarker] === 'channel';
}

/** The variable behind `hasLauncherChannel`. */
export const channelMarker = 'CALLBOARD_VARIABLES';
