import type { ApprovalRule } from '@/lib/cards/approval-settings';

type Rules = readonly ApprovalRule[] | undefined;

/** Says which rules for approvals were deleted with `what`, or do not name it any more. `undefined` if none. */
export function removedRules(what: string, before: Rules = [], after: Rules = []): string | undefined {
  const gone = before.length - after.length;
  const untouched = before.map((rule) => JSON.stringify(rule));
  const changed = after.filter((rule) => {
    const at = untouched.indexOf(JSON.stringify(rule));
    if (at !== -1) untouched.splice(at, 1);
    return at === -1;
  }).length;
  const said = [
    ...(gone > 0
      ? [
          `${rules(gone)} for approvals ${gone === 1 ? 'was' : 'were'} only about ${what}, so ${gone === 1 ? 'it was' : 'they were'} deleted too.`,
        ]
      : []),
    ...(changed > 0
      ? [`${rules(changed)} for approvals ${changed === 1 ? 'does' : 'do'} not name ${what} any more.`]
      : []),
  ];
  return said.length === 0 ? undefined : said.join(' ');
}

function rules(count: number): string {
  return count === 1 ? 'One rule' : `${count} rules`;
}
