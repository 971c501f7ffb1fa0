import path from 'node:path';
import { findServersOf } from './postgres-process';
import { stillLives } from './process-identity';
import { lockHolder } from './start-lock';

/**
 * Stops the embedded database when the launcher that started it was killed and nobody has taken its place. The database
 * itself does not notice; its workers do.
 */
export function endAbandonedDatabase(dataFolder: string, launcher: number): void {
  const pidFile = process.env.CALLBOARD_POSTGRES_PID_FILE;
  if (pidFile === undefined) return;
  // Looked for first: a launcher that takes over in between ends this server too, and starts one that is not among these.
  const servers = findServersOf(path.dirname(pidFile));
  const holder = lockHolder(dataFolder);
  if (holder === undefined || holder.pid !== launcher || stillLives(holder)) return;
  for (const pid of servers) {
    try {
      process.kill(pid, 'SIGINT');
    } catch {
      // It has ended, or another worker was faster.
    }
  }
}
