import type { ParsedFolder } from '@/lib/cards/parsed-folder';

interface Change {
  readonly gone: number;
  readonly changed: number;
}

/**
 * Says which rules for approvals, and which hooks of agents that stay, were deleted with `what`, or do not name it any more.
 * `undefined` if none.
 */
export function removedRules(what: string, before: ParsedFolder, after: ParsedFolder): string | undefined {
  const rules = changeOf(before.settings.approvals.rules, after.settings.approvals.rules);
  // The hooks of a deleted agent go with all that is its own.
  const hooks = after.cards.map(({ name }) =>
    changeOf(before.settings.agent_hooks[name], after.settings.agent_hooks[name]),
  );
  const said = [
    ...sentences(what, rules, ['One rule for approvals', 'rules for approvals']),
    ...sentences(what, sumOf(hooks), ['One hook of another agent', 'hooks of other agents']),
  ];
  return said.length === 0 ? undefined : said.join(' ');
}

function changeOf(before: readonly unknown[] = [], after: readonly unknown[] = []): Change {
  const untouched = before.map((entry) => JSON.stringify(entry));
  const changed = after.filter((entry) => {
    const at = untouched.indexOf(JSON.stringify(entry));
    if (at !== -1) untouched.splice(at, 1);
    return at === -1;
  }).length;
  return { gone: before.length - after.length, changed };
}

function sumOf(changes: readonly Change[]): Change {
  const sum = (count: (change: Change) => number) => changes.reduce((total, change) => total + count(change), 0);
  return { gone: sum(({ gone }) => gone), changed: sum(({ changed }) => changed) };
}

function sentences(what: string, { gone, changed }: Change, [one, many]: readonly [string, string]): string[] {
  const subject = (count: number) => (count === 1 ? one : `${count} ${many}`);
  return [
    ...(gone > 0
      ? [
          `${subject(gone)} ${gone === 1 ? 'was' : 'were'} only about ${what}, so ${gone === 1 ? 'it was' : 'they were'} deleted too.`,
        ]
      : []),
    ...(changed > 0 ? [`${subject(changed)} ${changed === 1 ? 'does' : 'do'} not name ${what} any more.`] : []),
  ];
}
