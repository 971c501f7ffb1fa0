import path from 'node:path';
import { findServersOf } from './postgres-process';
import { stillLives } from './process-identity';
import { lockHolder } from './start-lock';

/**
 * Stops the embedded database when its launcher was killed and no other launcher has started. A worker calls this, because
 * the database does not notice the death of the launcher. `pidFile` is in the folder of the database, and `launcher` is the
 * process id of the worker's parent at its start.
 */
export function endAbandonedDatabase(pidFile: string, dataFolder: string, launcher: number): void {
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
