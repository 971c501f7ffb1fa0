import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/**
 * How the launcher hands settings to the web process and the workers. What is no secret is their environment, which any
 * process of the same user can read in /proc for as long as they live; the rest is one message over their channel.
 *
 *   launcher ──spawn with cleanEnvironment()──▶ child
 *            ──sendVariables()─────────────────▶ receiveVariables()
 */
const message = z.object({ kind: z.literal('variables'), variables: z.record(z.string(), z.string()) });

/** Says in a child's environment that it has to wait for a message. */
const marker = 'CALLBOARD_VARIABLES';
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
  // Windows
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
const secretKinds = /KEY|TOKEN|SECRET|PASSW|AUTH/;
/** A proxy's address may hold a password; so may anything that is an address. */
const hasPassword = /:\/\/[^/@\s]*:[^/@\s]+@/;

/** Of an environment what a child may be started with: no secrets, and nothing that only the user's shell wants. */
export function cleanEnvironment(source: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => {
      const upper = name.toUpperCase();
      const isKnown = inherited.has(upper) || (inheritedKinds.test(upper) && !secretKinds.test(upper));
      return value === undefined || !isKnown || hasPassword.test(value) ? [] : [[name, value]];
    }),
  );
}

/** The environment of a child that gets the rest by `sendVariables`. */
export function environmentOfChild(
  source: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string | undefined>>,
): NodeJS.ProcessEnv {
  // Next's types want a NODE_ENV in every environment.
  return Object.assign(cleanEnvironment(source), own, { NODE_ENV: 'production' as const, [marker]: 'channel' });
}

/** Sends a child its secrets. It waits for them before it does anything. */
export function sendVariables(child: ChildProcess, variables: Readonly<Record<string, string | undefined>>): void {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
  // A child that died meanwhile is started again, and gets them then.
  child.send({ kind: 'variables', variables: given }, () => undefined);
}

/**
 * The variables of this process: of a child of the launcher its environment and what the launcher sent; of one that was
 * started by hand its environment, and what `envFile` says of the rest. They are not put into `process.env`, which whatever
 * is started without an environment of its own inherits.
 */
export async function receiveVariables(envFile?: string): Promise<Record<string, string | undefined>> {
  if (process.env[marker] === 'channel') return { ...process.env, ...(await firstMessage()).variables };
  const written = envFile !== undefined && existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  return { ...written, ...process.env };
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
