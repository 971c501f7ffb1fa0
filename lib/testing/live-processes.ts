import { spawnSync } from 'node:child_process';

/**
 * Counts the running processes whose command line holds `words`. A dead process that its parent has not yet collected does
 * not count, because when that happens depends on the machine's first process. Process ids cannot be used, because they may
 * belong to another PID namespace.
 */
export function liveProcesses(words: string): number {
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').filter((line) => !line.startsWith('Z') && line.includes(words)).length;
}
