import { faultOf, isSystemError } from './fault-of';
import { printNote } from './print';

/** The exit code of a program that SIGPIPE ends, as shells report it. */
const brokenPipe = 141;

/**
 * Ends the command when its output cannot be written any more. If the reader of stdout has gone, as `head` does, a command that stops
 * on SIGTERM stops so that a run ends in order, and any other one ends at once. Lines to a closed stderr are dropped.
 */
export function endWithOutput(): void {
  let hasEnded = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    if (hasEnded) return;
    hasEnded = true;
    if (!isSystemError(error) || error.code !== 'EPIPE') {
      printNote(`The output cannot be written. ${faultOf(error)}\n`);
      process.exit(2);
    }
    if (process.listenerCount('SIGTERM') === 0) process.exit(brokenPipe);
    process.kill(process.pid, 'SIGTERM');
  });
}
