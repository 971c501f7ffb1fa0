import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { AppError } from '@/lib/base/app-error';
import { readRunEvent } from '@/lib/server/runs';
import { partPage } from '@/lib/trace/short-event';
import { pageUnits } from '@/lib/trace/text-pages';

const number = z.coerce.number('Give a number.').int('Give a whole number.').min(0, 'Not below 0.');
const query = z.object({
  /** The number of one of the texts that the run page shows of the event, counted from 0. */
  part: number.optional(),
  /** The offset of the page, in UTF-16 units. */
  offset: number.default(0),
  limit: number.min(1, 'At least 1.').max(1_000_000, 'At most 1000000.').default(pageUnits),
  as: z.enum(['page', 'file'], '"page" or "file".').default('page'),
});

const forGood = { 'Cache-Control': 'private, max-age=31536000, immutable' };

/**
 * Answers one whole event, or a page of one of its parts. A browser may cache the answer, because an event never changes.
 */
export const GET = respond(
  query,
  async (_request, params: RunParams & { readonly seq: string }, actor, { part, offset, limit, as }) => {
    if (!/^\d{1,9}$/.test(params.seq)) throw new AppError('bad_request', 'An event is named by its number.');
    const event = await readRunEvent(actor, runId(params), Number(params.seq));
    if (part === undefined) return Response.json(event, { headers: forGood });
    const page = partPage(event, part, as === 'file' ? 0 : offset, as === 'file' ? Number.MAX_SAFE_INTEGER : limit);
    if (page === undefined) throw new AppError('not_found', `Event ${params.seq} has no part ${part}.`);
    if (as === 'page') return Response.json(page, { headers: forGood });
    return new Response(page.text, {
      headers: {
        ...forGood,
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename="event-${params.seq}-${part}.txt"`,
      },
    });
  },
);
