import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { AppError } from '@/lib/base/app-error';
import { cutText } from '@/lib/base/well-formed';
import { readModelCall } from '@/lib/server/model-calls';
import { pageOf, pageUnits } from '@/lib/trace/text-pages';

const number = z.coerce.number('Give a number.').int('Give a whole number.').min(0, 'Not below 0.');
const query = z.object({
  /** The number of the first entry of a page of entries. By default the page ends with the last one. */
  from: number.optional(),
  /** The number of an entry whose text is asked for, counted from 0. */
  entry: number.optional(),
  /** The offset of the text, in UTF-16 units. */
  offset: number.default(0),
  /** `no` leaves the answer out. */
  answer: z.enum(['yes', 'no'], '"yes" or "no".').default('yes'),
  as: z.enum(['page', 'json', 'file'], '"page", "json" or "file".').default('page'),
});

/** A page of the conversation has at most this many entries. */
const entriesPerPage = 100;

/**
 * Answers the model call that an event starts: a page of its conversation, a page of one entry's text (`entry`), or request and
 * answer as JSON: a page of it (`as=json`) or all of it as a file (`as=file`).
 */
export const GET = respond(query, async (_request, params: RunParams & { readonly seq: string }, actor, asked) => {
  if (!/^\d{1,9}$/.test(params.seq)) {
    throw new AppError('bad_request', 'A model call is named by the number of its first event.');
  }
  const {
    entries,
    request: sent,
    json,
  } = await readModelCall(actor, runId(params), Number(params.seq), {
    withAnswer: asked.answer === 'yes',
  });
  if (asked.entry !== undefined) {
    const entry = entries[asked.entry];
    if (entry === undefined) throw new AppError('not_found', `The call has no entry ${asked.entry}.`);
    if (asked.as === 'file') return fileOf(entry.text, `message-${params.seq}-${asked.entry}.txt`, 'text/plain');
    return pageOfText(entry.text, entry.title, asked.offset);
  }
  if (asked.as !== 'page') {
    const whole = JSON.stringify(json(), null, 2);
    return asked.as === 'file'
      ? fileOf(whole, `model-call-${params.seq}.json`, 'application/json')
      : pageOfText(whole, 'JSON', asked.offset);
  }
  const from = Math.min(asked.from ?? entries.length - entriesPerPage, entries.length);
  const start = Math.max(0, from);
  return {
    count: entries.length,
    from: start,
    entries: entries.slice(start, start + entriesPerPage).map(({ text, ...entry }) => {
      return { ...entry, text: cutText(text, pageUnits), total: text.length };
    }),
    tools: sent.tools,
    params: sent.params,
    format: sent.format,
  };
});

function pageOfText(whole: string, title: string, offset: number) {
  return { title, total: whole.length, ...pageOf(whole, offset) };
}

function fileOf(text: string, name: string, type: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Content-Disposition': `attachment; filename="${name}"` },
  });
}
