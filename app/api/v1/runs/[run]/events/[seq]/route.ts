import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
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

/** Answers one whole event, or a page of one of its parts. */
export const GET = respond(
  query,
  async (request, params: RunParams & { readonly seq: string }, actor, { part, offset, limit, as }) => {
    if (!/^\d{1,9}$/.test(params.seq)) throw new AppError('bad_request', 'An event is named by its number.');
    const event = await readRunEvent(actor, runId(params), Number(params.seq));
    if (part === undefined) return respondUnlessSame(request, event);
    const page = partPage(event, part, as === 'file' ? 0 : offset, as === 'file' ? Number.MAX_SAFE_INTEGER : limit);
    if (page === undefined) throw new AppError('not_found', `Event ${params.seq} has no part ${part}.`);
    if (as === 'page') return respondUnlessSame(request, page);
    return new Response(page.text, {
      headers: {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename="event-${params.seq}-${part}.txt"`,
      },
    });
  },
);
