import { z } from 'zod';
import { fitsGlob } from './glob';

/*
 * What a team asks before a revision goes live. It is kept in the database, where only admins of the project change it.
 */

const mail = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .regex(/^[^\0\p{Surrogate}\s]*$/u, 'Give a mail address.')
  .toLowerCase();
const pattern = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^[^\0\p{Surrogate}]*$/u, 'Leave out characters that are no text.');

export const reviewPolicy = z.strictObject({
  /** How many people must approve. */
  approvals: z.int().min(0).max(20),
  authorMayApprove: z.boolean(),
  /** Patterns (`*`, `?`) of paths, or `agent:` and a pattern of names of agents. What fits needs one of these people. */
  owners: z.array(z.strictObject({ pattern, people: z.array(mail).min(1, 'Name somebody.').max(50) })).max(200),
});
export type ReviewPolicy = z.output<typeof reviewPolicy>;

/** Where nobody set anything, nothing is asked. */
export const noReviewPolicy: ReviewPolicy = { approvals: 0, authorMayApprove: true, owners: [] };

/** A verdict that holds for exactly what is to be published. */
export interface HeldVerdict {
  readonly by: string;
  readonly byName: string;
  readonly verdict: 'approve' | 'request_changes';
  /** Who wrote what the verdict is about. */
  readonly authors: readonly string[];
  /** Changed files that are not covered, and were different in what the verdict is about. */
  readonly unseen: readonly string[];
}

/** What a change touches. */
export interface Touched {
  readonly paths: readonly string[];
  readonly agents: readonly string[];
}

/** True if a policy asks for an approval of something. */
export function asksForReview({ approvals, owners }: ReviewPolicy): boolean {
  return approvals > 0 || owners.length > 0;
}

/** Returns what a policy still asks for, a sentence each. Nothing: the change may be published. */
export function missingApprovals(
  policy: ReviewPolicy,
  verdicts: readonly HeldVerdict[],
  touched: Touched,
): readonly string[] {
  const needed = policy.owners.flatMap(({ pattern: fits, people }) => {
    const what = fitting(fits, touched);
    return what.length === 0 ? [] : [{ what, people }];
  });
  if (policy.approvals === 0 && needed.length === 0) return [];
  const counts = ({ by, authors }: HeldVerdict) => policy.authorMayApprove || !authors.includes(by);
  const approvals = verdicts.filter((each) => each.verdict === 'approve' && counts(each));
  const approvers = new Set(approvals.map(({ by }) => by.toLowerCase()));
  const against = verdicts.filter(({ verdict }) => verdict === 'request_changes').map(({ byName }) => byName);
  const missing: string[] = [];
  if (approvers.size < policy.approvals) {
    const asked = policy.approvals === 1 ? 'one approval' : `${policy.approvals} approvals`;
    missing.push(`It needs ${asked} of exactly these files and has ${approvers.size === 0 ? 'none' : approvers.size}.`);
  }
  for (const { what, people } of needed) {
    const given = approvals.filter(({ by }) => people.includes(by.toLowerCase()));
    if (given.some(({ unseen }) => !what.some((each) => unseen.includes(each)))) continue;
    const asked = people.join(' or ');
    const later = what.find((each) => given.some(({ unseen }) => unseen.includes(each)));
    missing.push(
      later === undefined
        ? `${what[0]} needs the approval of ${asked}.`
        : `${later} was changed after it was approved. It needs the approval of ${asked} again.`,
    );
  }
  if (against.length > 0) missing.push(`${[...new Set(against)].join(' and ')} asked for changes.`);
  return missing;
}

function fitting(fits: string, { paths, agents }: Touched): readonly string[] {
  if (!fits.startsWith('agent:')) return paths.filter((path) => fitsGlob(fits, path));
  return agents.flatMap((name) => (fitsGlob(fits.slice('agent:'.length), name) ? [`The agent '${name}'`] : []));
}
