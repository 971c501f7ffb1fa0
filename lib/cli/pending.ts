import { parseArgs } from 'node:util';
import { z } from 'zod';
import { escapeHidden } from '@/lib/base/escape-hidden';
import type { PendingInfo } from '@/lib/base/pending-info';
import { type AppClient, appClient } from './app-client';
import { faultOf } from './fault-of';
import { printJson, printNote, printResult } from './print';

const usage = 'callboard pending [--run ID] [--project ID] [--json] [--watch]';

const outline = z.looseObject({
  id: z.string(),
  kind: z.string(),
  project: z.string(),
  projectName: z.string(),
  path: z.string(),
  sentence: z.string(),
  askedAt: z.number(),
});
const item = z.custom<PendingInfo>((value) => outline.safeParse(value).success);
const page = z.object({ items: z.array(item), next: z.string().nullable() });

/**
 * `pending [--run ID] [--project ID] [--json] [--watch]`: lists the open questions of the runs of the app, one per line; with
 * `--json` as JSON, one object per line. With `--watch` it goes on with new ones until it is stopped.
 * Exit code 0: listed, 2: the app does not run, or the arguments are wrong.
 */
export async function pending(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args);
    const client = appClient();
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    process.once('SIGTERM', () => stop.abort());
    await listPending(client, options, stop.signal);
    return 0;
  } catch (error) {
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

interface Options {
  readonly query: URLSearchParams;
  readonly json: boolean;
  readonly watch: boolean;
}

/** Prints the open questions, and with `watch` new ones until the signal aborts. */
export async function listPending(
  client: AppClient,
  { query, json, watch }: Options,
  signal: AbortSignal,
): Promise<void> {
  const printed = new Set<string>();
  const printNew = async () => {
    for await (const each of openItems(client, query)) {
      if (printed.has(each.id)) continue;
      printed.add(each.id);
      if (json) printJson(each);
      else printResult(`${lineOf(each)}\n`);
    }
  };
  if (watch) {
    for await (const _news of changes(client, query, signal)) await printNew();
    return;
  }
  await printNew();
  if (printed.size === 0 && !json) printNote('No run waits for an answer.\n');
}

function lineOf({ id, kind, projectName, path, sentence, askedAt }: PendingInfo): string {
  return [id, kind, new Date(askedAt).toISOString(), projectName, path, sentence].map(escapeHidden).join('  ');
}

async function* openItems(client: AppClient, query: URLSearchParams): AsyncGenerator<PendingInfo> {
  for (let after: string | null = ''; after !== null; ) {
    const asked = new URLSearchParams([...query, ['limit', '500'], ...(after === '' ? [] : [['after', after]])]);
    const { items, next }: z.infer<typeof page> = page.parse(
      await (await client.send(`/api/v1/pending?${asked}`)).json(),
    );
    yield* items;
    after = next;
  }
}

/** Yields whenever questions were asked or have ended, and once at first. Connects again when the connection breaks. */
async function* changes(client: AppClient, query: URLSearchParams, signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) {
    try {
      const { body } = await client.send(`/api/v1/pending/stream?${query}`, { signal });
      if (body === null) return;
      for await (const part of body.pipeThrough(new TextDecoderStream())) if (part.includes('data:')) yield;
    } catch (error) {
      if (signal.aborted) return;
      printNote(`${faultOf(error)}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      run: { type: 'string' },
      project: { type: 'string' },
      json: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 0) throw new Error(`Unexpected '${positionals[0]}'. Usage: ${usage}`);
  const { run, project, json, watch } = values;
  const query = new URLSearchParams({ ...(run !== undefined && { run }), ...(project !== undefined && { project }) });
  return { query, json, watch };
}
