import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { channelMarker, environment, hasLauncherChannel } from './settings/process-env';

/**
 * Passes settings from the launcher to the web process and the workers. Only settings that are no secret are in their
 * environment, which every process of the same user can read in /proc. Secrets are sent in one message over the channel.
 *
 *   launcher ──spawn with cleanEnvironment()──▶ child
 *            ──sendVariables()─────────────────▶ receiveVariables()
 */
const message = z.object({ kind: z.literal('variables'), variables: z.record(z.string(), z.string()) });

const patienceMs = 30_000;

const inherited: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TZ',
  'LANG',
  'LANGUAGE',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LD_LIBRARY_PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'PGSSLMODE',
  'PGSSLROOTCERT',
  'PGPASSFILE',
  // These are for Windows.
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'USERNAME',
  'USERPROFILE',
]);
const inheritedKinds = /^(?:LC_|NODE_|(?:HTTP|HTTPS|ALL|NO)_PROXY$|CALLBOARD_)/;
const secretKinds = /KEY|TOKEN|SECRET|PASSW|AUTH|_WEBHOOK_|_SMTP_|_MAIL_/;
/** Matches a password in an address, such as that of a proxy. */
const hasPassword = /:\/\/[^/@\s]*:[^/@\s]+@/;

/**
 * Returns the variables of an environment that a child may inherit: no secrets, and none that only the user's shell needs.
 */
export function cleanEnvironment(source: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => {
      const upper = name.toUpperCase();
      const isKnown = inherited.has(upper) || (inheritedKinds.test(upper) && !secretKinds.test(upper));
      return value === undefined || !isKnown || hasPassword.test(value) ? [] : [[name, value]];
    }),
  );
}

/** Returns the environment of a child that gets its secrets by `sendVariables`. NODE_ENV is `production` unless `own` has it. */
export function environmentOfChild(
  source: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string | undefined>>,
): NodeJS.ProcessEnv {
  // Next's types require NODE_ENV in every environment.
  return Object.assign(cleanEnvironment(source), { NODE_ENV: 'production' as const }, own, {
    [channelMarker]: 'channel',
  });
}

/** Sends a child its secrets. The child waits for them before it does anything else. */
export function sendVariables(child: ChildProcess, variables: Readonly<Record<string, string | undefined>>): void {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
  // A child that has died meanwhile is restarted, and gets the secrets then.
  child.send({ kind: 'variables', variables: given }, () => undefined);
}

/**
 * Returns the variables of this process. For a child of the launcher these are its environment and the variables that the
 * launcher sent. For a process that was started by hand they are its environment, completed by `envFile`. They are not
 * added to `process.env`, because child processes inherit that by default.
 */
export async function receiveVariables(envFile?: string): Promise<Record<string, string | undefined>> {
  if (hasLauncherChannel()) return { ...environment(), ...(await firstMessage()).variables };
  const written = envFile !== undefined && existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  return { ...written, ...environment() };
}

function firstMessage(): Promise<z.infer<typeof message>> {
  return new Promise((resolve, reject) => {
    const onMessage = (value: unknown) => {
      const parsed = message.safeParse(value);
      if (parsed.success) end(() => resolve(parsed.data));
    };
    const fail = (reason: string) => end(() => reject(new Error(`${reason} Start Callboard with npm start.`)));
    const onDisconnect = () => fail('The launcher ended before it sent the settings.');
    const timer = setTimeout(() => fail('The launcher sent no settings.'), patienceMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      process.off('message', onMessage);
      process.off('disconnect', onDisconnect);
      settle();
    };
    process.on('message', onMessage);
    process.on('disconnect', onDisconnect);
    if (!process.connected) onDisconnect();
  });
}
