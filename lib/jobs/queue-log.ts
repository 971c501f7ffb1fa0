import { DBOS, type DLogger } from '@dbos-inc/dbos-sdk';
import type { Logger } from 'pino';

/**
 * What DBOS reports, in the log of this process: warnings and errors, with the run's id where DBOS works on one or names
 * one. What it says of every turn is left out.
 */
export function queueLogger(log: Pick<Logger, 'warn' | 'error'>): DLogger {
  const write = (level: 'warn' | 'error', entry: unknown, error?: unknown) => {
    const text = textOf(entry);
    const about = { run_id: DBOS.workflowID ?? runIn(text), err: error };
    log[level](about, `the queue reports: ${text}`);
  };
  return {
    debug() {},
    info() {},
    warn: (entry) => write('warn', entry),
    error: (entry, metadata) => write('error', entry, entry instanceof Error ? entry : metadata?.error),
  };
}

function textOf(entry: unknown): string {
  if (entry instanceof Error) return entry.message;
  return typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? String(entry));
}

/** Ids of workflows are ids of runs. */
function runIn(text: string): string | undefined {
  return /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(text)?.[0];
}
