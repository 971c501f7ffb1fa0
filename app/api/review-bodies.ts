import { z } from 'zod';
import { reviewStatuses, verdictKinds } from '@/lib/base/review-kinds';
import { reviewAnchor } from '@/lib/graph/review/anchor';

/** Schemas of requests about reviews (docs/http-api.md). Server actions take the same bodies. */

const number = z.int().min(1).max(2_147_483_647);
const text = z.string().max(20_000);
const suggestion = z.string().max(100_000).optional();
const draft = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0\p{Surrogate}]*$/u, 'Leave out characters that are no text.');

export const openReviewBody = z.strictObject({
  title: z.string().min(1).max(200),
  body: text.default(''),
  draft: draft.default('main'),
});
export const versionBody = z.strictObject({ message: text.default('') });
export const verdictBody = z.strictObject({ verdict: z.enum(verdictKinds), revision: number, note: text.default('') });
export const publishBody = z.strictObject({
  revision: number,
  note: z.string().max(10_000).default(''),
  expected: number.nullable().optional(),
  override: z.string().max(10_000).optional(),
});
export const threadBody = z.strictObject({ anchor: reviewAnchor, body: text.default(''), suggestion });
export const commentBody = z.strictObject({ body: text.default(''), suggestion });
export const commentTextBody = z.strictObject({ body: text });
export const threadStateBody = z.strictObject({ state: z.enum(['open', 'resolved']) });
export const reviewStatusBody = z.strictObject({ status: z.literal('withdrawn') });

export const reviewsQuery = z.object({
  status: z.enum(reviewStatuses).optional(),
  before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export interface ReviewParams {
  readonly project: string;
  readonly review: string;
}

export interface ThreadParams extends ReviewParams {
  readonly thread: string;
}

/** Reads the number of a review from a path. Text that is none is 0, which no review has. */
export function reviewNumber({ review }: Pick<ReviewParams, 'review'>): number {
  return number.catch(0).parse(Number(review));
}
