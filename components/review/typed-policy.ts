import { err, ok, type Result } from '@/lib/base/result';
import { type ReviewPolicy, reviewPolicy } from '@/lib/base/review-policy';

/** One line of the form. People are mail addresses with commas or spaces between them. */
export interface OwnerLine {
  readonly pattern: string;
  readonly people: string;
}

export interface TypedPolicy {
  readonly approvals: string;
  readonly authorMayApprove: boolean;
  readonly owners: readonly OwnerLine[];
}

export function ownerLines({ owners }: ReviewPolicy): readonly OwnerLine[] {
  return owners.map(({ pattern, people }) => ({ pattern, people: people.join(', ') }));
}

/** Reads what was typed into the form, or says what is wrong. Lines without any text are left out. */
export function typedPolicy({ approvals, authorMayApprove, owners }: TypedPolicy): Result<ReviewPolicy, string> {
  const lines = owners.filter(({ pattern, people }) => pattern.trim() !== '' || people.trim() !== '');
  for (const { pattern, people } of lines) {
    if (pattern.trim() === '') return err(`Say what ${people.trim()} own: a path, or agent: and a name.`);
    if (namesIn(people).length === 0) return err(`Name somebody who owns ${pattern.trim()}, by mail address.`);
  }
  const read = reviewPolicy.safeParse({
    approvals: approvals.trim() === '' ? 0 : Number(approvals),
    authorMayApprove,
    owners: lines.map(({ pattern, people }) => ({ pattern, people: namesIn(people) })),
  });
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  return err(issue?.path[0] === 'approvals' ? 'Approvals is a whole number from 0 to 20.' : (issue?.message ?? ''));
}

function namesIn(people: string): readonly string[] {
  return people.split(/[\s,;]+/).filter((each) => each !== '');
}
