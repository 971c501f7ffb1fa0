import { DBOS, type DLogger } from '@dbos-inc/dbos-sdk';
import type { Logger } from 'pino';
import { runOfWorkflow } from './queue';

/**
 * Writes warnings and errors of DBOS to the log of this process, with the run id if DBOS works on a run or names one. Messages of
 * lower levels are dropped.
 */
export function queueLogger(log: Pick<Logger, 'warn' | 'error'>): DLogger {
  const write = (level: 'warn' | 'error', entry: unknown, error?: unknown) => {
    const text = textOf(entry);
    const about = { run_id: DBOS.workflowID === undefined ? runIn(text) : runOfWorkflow(DBOS.workflowID), err: error };
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

/** Finds the run id in a message. Ids of workflows begin with ids of runs. */
function runIn(text: string): string | undefined {
  return /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(text)?.[0];
}
