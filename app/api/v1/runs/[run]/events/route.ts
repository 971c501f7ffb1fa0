import { z } from 'zod';
import { eventStream } from '@/app/api/event-stream';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { getRunTree, mapRunEvents, readRunEvents, readRunEventsBySeq, streamRunEvents } from '@/lib/server/runs';
import { previewOf } from '@/lib/trace/payloads';
import { shortEvent } from '@/lib/trace/short-event';
import { slimEvent } from '@/lib/trace/slim-event';

const seqNumber = z.coerce
  .number('Give a number.')
  .int('Give a whole number.')
  .min(0, 'Not below 0.')
  .max(2_147_483_647, 'No run has so many events.');
const query = z.object({
  after: seqNumber.optional(),
  limit: seqNumber.min(1, 'At least 1.').max(10_000, 'At most 10000.').default(1_000),
  /**
   * `slim` leaves out arguments, results and messages; as a stream it has one message per batch. With `seq`, `short` cuts
   * long texts, and `preview` answers one line of each call's arguments or result.
   */
  view: z.enum(['full', 'slim', 'short', 'preview'], '"full", "slim", "short" or "preview".').default('full'),
  /** Answers only these events, in this order. */
  seq: z
    .string()
    .regex(/^\d{1,9}(,\d{1,9})*$/, 'Give numbers with commas between.')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine((seqs) => seqs.length <= 100, 'At most 100 numbers.')
    .optional(),
});

/** The length of a preview, in UTF-16 units. */
const previewLength = 160;

/**
 * `GET /api/v1/runs/:id/events?after=N&limit=M` answers the events after N as a JSON array. It has at most M (1000), and
 * fewer when they are large. With `Accept: text/event-stream` it is a stream that goes on while the run does and ends with
 * a message named `end`. Each message's id is the event's `seq`, and `Last-Event-ID` resumes after it.
 */
export const GET = respond(query, async (request, params: RunParams, actor, { after, limit, view, seq }) => {
  const id = runId(params);
  if (seq !== undefined) {
    if (view === 'preview') {
      return await mapRunEvents(actor, id, seq, (each) => ({ seq: each.seq, text: previewOf(each, previewLength) }));
    }
    if (view === 'short') return await mapRunEvents(actor, id, seq, shortEvent);
    if (view === 'slim') return await mapRunEvents(actor, id, seq, slimEvent);
    return await readRunEventsBySeq(actor, id, seq);
  }
  const lastEventId = checkInput(request.headers.get('last-event-id') ?? undefined, seqNumber.optional());
  const from = lastEventId ?? after ?? 0;
  if ((request.headers.get('accept') ?? '').includes('text/event-stream')) {
    const gone = new AbortController();
    request.signal.addEventListener('abort', () => gone.abort());
    const run = { id, after: from, signal: gone.signal };
    return eventStream(await streamRunEvents(actor, run, view === 'slim' ? 'slim' : 'full'), () => gone.abort());
  }
  await getRunTree(actor, id);
  const events = await readRunEvents(actor, id, { after: from, limit });
  return view === 'slim' ? events.map(slimEvent) : events;
});
