import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { AppClient } from './app-client';
import { checkAuditLines } from './check-audit-lines';
import type { Finding } from './finding';

const health = z.object({
  status: z.string(),
  database: z.string(),
  workers: z.number(),
  silent: z.number(),
  restarting: z.number(),
  disk: z.string().optional(),
});

/** Asks the app that runs here how it is, and checks its audit log. */
export async function checkApp(client: AppClient): Promise<readonly Finding[]> {
  return [await checkHealth(client), await checkAudit(client)];
}

async function checkHealth(client: AppClient): Promise<Finding> {
  try {
    const found = health.parse(await (await client.send('/api/health')).json());
    const detail = `database ${found.database}, ${found.workers} of ${found.workers + found.silent + found.restarting} workers`;
    if (found.disk !== undefined && found.disk !== 'ok') {
      const next = 'Free some space on the disk of the data folder.';
      return { name: 'App', state: 'warn', detail: `${detail}, the disk is ${found.disk}`, next };
    }
    if (found.status === 'ok') return { name: 'App', state: 'ok', detail };
    return { name: 'App', state: 'warn', detail, next: 'Look into the logs of the data folder, logs/*.log.' };
  } catch (error) {
    return { name: 'App', state: 'fail', detail: messageOf(error), next: 'Look into the logs of the data folder.' };
  }
}

async function checkAudit(client: AppClient): Promise<Finding> {
  try {
    const { body } = await client.send('/api/v1/audit/export');
    const input = Readable.from(body === null ? [] : body.pipeThrough(new TextDecoderStream()));
    const { fault, head } = await checkAuditLines(createInterface({ input }));
    if (fault === undefined) return { name: 'Audit log', state: 'ok', detail: `${head.count} entries, unchanged` };
    return {
      name: 'Audit log',
      state: 'fail',
      detail: fault,
      next: 'Compare it with an earlier export (docs/audit.md).',
    };
  } catch (error) {
    return { name: 'Audit log', state: 'warn', detail: messageOf(error), next: 'Try again when the app is ready.' };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
