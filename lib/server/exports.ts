import type { Actor } from '@/lib/base/actor';
import type { RunId } from '@/lib/base/ids';
import { eventLogHeader } from '@/lib/interop/files/event-log';
import { chromeTrace } from '@/lib/interop/out/chrome-trace';
import { replayPage } from '@/lib/interop/out/replay-page';
import { spanCsv } from '@/lib/interop/out/span-csv';
import type { RunEvent } from '@/lib/runtime/record/events';
import { appendAudit } from '@/lib/store/audit';
import { findRun } from '@/lib/store/runs';
import { decodeTrace } from '@/lib/trace/columns';
import { readRunEvents, readRunTrace } from './runs';
import { withStoreOnce } from './services';

export const exportForms = ['chrome', 'csv', 'events', 'html'] as const;
export type ExportForm = (typeof exportForms)[number];

export interface RunFile {
  readonly type: string;
  readonly extension: string;
  readonly chunks: AsyncGenerator<string>;
}

/**
 * Returns a run as a file for other tools, in parts, so that a large run is not in memory as a whole. With `allSpans`, the files of an
 * imported run have the spans of its framework too; the event log always names them. Throws `not_found`.
 */
export async function exportRun(
  actor: Actor,
  id: RunId,
  form: ExportForm,
  shown: { readonly allSpans: boolean },
): Promise<RunFile> {
  await noteRunExport(actor, id, form);
  switch (form) {
    case 'events':
      return { type: 'application/x-ndjson; charset=utf-8', extension: 'events.ndjson', chunks: eventLines(actor, id) };
    case 'csv':
      return {
        type: 'text/csv; charset=utf-8',
        extension: 'csv',
        chunks: joined(spanCsv(await traceOf(actor, id, shown))),
      };
    case 'chrome':
      return {
        type: 'application/json',
        extension: 'chrome.json',
        chunks: joined(chromeLines(await traceOf(actor, id, shown))),
      };
    case 'html':
      return { type: 'text/html; charset=utf-8', extension: 'html', chunks: html(actor, id, shown) };
  }
}

/** Notes in the audit log that a run leaves the app. Throws AppError `not_found`. */
export async function noteRunExport(
  actor: Actor,
  id: RunId,
  form: ExportForm | 'otlp' | 'otlp with texts',
): Promise<void> {
  await withStoreOnce(actor, 'run.texts', { run: id }, async ({ store }) => {
    const { projectId: project } = await findRun(store, id);
    await appendAudit(store.pool, { actor, action: 'run.exported', object: id, project, body: { form } });
  });
}

async function traceOf(actor: Actor, id: RunId, shown: { readonly allSpans: boolean }) {
  return decodeTrace(await readRunTrace(actor, id, shown));
}

async function* html(actor: Actor, id: RunId, shown: { readonly allSpans: boolean }): AsyncGenerator<string> {
  const events: RunEvent[] = [];
  for await (const page of pagesOf(actor, id)) events.push(...page);
  yield replayPage(await traceOf(actor, id, shown), events);
}

async function* eventLines(actor: Actor, id: RunId): AsyncGenerator<string> {
  yield eventLogHeader();
  for await (const page of pagesOf(actor, id)) yield page.map((event) => `${JSON.stringify(event)}\n`).join('');
}

async function* pagesOf(actor: Actor, id: RunId): AsyncGenerator<readonly RunEvent[]> {
  for (let after = 0; ; ) {
    const page = await readRunEvents(actor, id, { after, limit: 2_000 });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.seq ?? after;
  }
}

function* chromeLines(trace: Awaited<ReturnType<typeof traceOf>>): Generator<string> {
  yield '{"displayTimeUnit":"ms","traceEvents":[\n';
  let isFirst = true;
  for (const event of chromeTrace(trace)) {
    yield `${isFirst ? '' : ',\n'}${JSON.stringify(event)}`;
    isFirst = false;
  }
  yield '\n]}\n';
}

/** Joins small parts, because each chunk of a response costs a turn of the event loop. */
async function* joined(parts: Iterable<string>): AsyncGenerator<string> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < 64 * 1024) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
