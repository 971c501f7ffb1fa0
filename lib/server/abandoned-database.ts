import path from 'node:path';
import { findServersOf } from './postgres-process';
import { stillLives } from './process-identity';
import { lockHolder } from './start-lock';

/**
 * Stops the embedded database when its launcher was killed and no other launcher has started. A worker calls this, because
 * the database does not notice the death of the launcher.
 */
export function endAbandonedDatabase(dataFolder: string, launcher: number): void {
  const pidFile = process.env.CALLBOARD_POSTGRES_PID_FILE;
  if (pidFile === undefined) return;
  // The servers are listed before the check of the lock. If a launcher starts in between, it ends these servers itself, and
  // its own is not listed.
  const servers = findServersOf(path.dirname(pidFile));
  const holder = lockHolder(dataFolder);
  if (holder === undefined || holder.pid !== launcher || stillLives(holder)) return;
  for (const pid of servers) {
    try {
      process.kill(pid, 'SIGINT');
    } catch {
      // The server has ended, or another worker has stopped it.
    }
  }
}
