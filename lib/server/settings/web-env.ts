import type { FenceKind } from '@/lib/sandbox/fence/fence-kind';
import { type Env, readEnv } from './env';

/*
 * Reads the settings of the web process, as the launcher has passed them. Code that every request runs reads
 * ./request-settings instead.
 */

/** Reads and validates all settings. Throws EnvError. */
export function webEnv(): Env {
  return readEnv(process.env);
}

/** True if the launcher has started the database itself. */
export function isDatabaseEmbedded(): boolean {
  return process.env.CALLBOARD_DATABASE === 'embedded';
}

/**
 * Returns how processes of projects can be isolated, as the launcher has found out. Without a launcher nothing is known.
 */
export function launcherFence(): FenceKind {
  const found = process.env.CALLBOARD_FENCE;
  return found === 'hidden' || found === 'unreadable' ? found : 'none';
}
