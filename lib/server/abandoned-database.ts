import { existsSync, readFileSync } from 'node:fs';
import { isAlive, lockHolder } from './start-lock';

/**
 * Stops the embedded database when the launcher that started it was killed and nobody has taken its place. The database
 * itself does not notice; its workers do.
 */
export function endAbandonedDatabase(dataFolder: string, launcher: number): void {
  const pidFile = process.env.CALLBOARD_POSTGRES_PID_FILE;
  if (pidFile === undefined || lockHolder(dataFolder) !== launcher || isAlive(launcher)) return;
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (Number.isInteger(pid) && pid > 1 && isAlive(pid)) process.kill(pid, 'SIGINT');
}
