import type { FenceKind } from '@/lib/sandbox/fence/fence-kind';

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
  process.env.DATABASE_URL = url;
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
