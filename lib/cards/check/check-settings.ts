import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import { stepOptions } from '@/lib/cards/delegation-schemas';
import type { IssueCode } from '@/lib/cards/issue-codes';
import { agentMentions } from '@/lib/cards/read/agent-mentions';
import type { FileReport } from '@/lib/cards/read/file-report';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { Settings } from '@/lib/cards/settings';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { checkDelegation } from './check-delegation';
import { checkHitl } from './check-hitl';
import { reachedBy } from './reached-by';

/** Checks that the agents which callboard.yaml names exist. `names` includes unreadable cards. */
export function checkSettings(
  settings: Settings,
  report: FileReport,
  cards: readonly Card[],
  brokenNames: ReadonlySet<string>,
): Issue[] {
  const issues: Issue[] = [];
  const byName = new Map(cards.map((card) => [card.name, card]));
  const isKnown = (name: string) => byName.has(name) || brokenNames.has(name);
  const add = (code: IssueCode, path: Path, message: string) =>
    issues.push(makeIssue(code, { file: report.file, ...report.keyPlaceOf(path) }, message));

  if (settings.entry !== undefined && !isKnown(settings.entry)) {
    const place = report.placeOf(['entry']);
    const text = `The entry agent '${settings.entry}' does not exist. Name an existing agent.`;
    issues.push(makeIssue('entry-unknown', { file: report.file, ...place }, text));
  }
  for (const [parent, children] of Object.entries(settings.delegations)) {
    const card = byName.get(parent);
    const reached = card && reachedBy(settings, card, byName.keys());
    for (const child of Object.keys(children)) {
      const path = ['delegations', parent, child];
      if (isKnown(child) && reached !== undefined && !reached.has(child)) {
        const text = `'${parent}' does not delegate to '${child}', so these options are unused. Add the child or remove them.`;
        add('settings-unused-delegation', path, text);
      } else if (isKnown(child) && card !== undefined && card.type !== 'agent') {
        const used = stepOptions(card, child);
        for (const key of Object.keys(children[child] ?? {})) {
          if (used.includes(key)) continue;
          const text = `'${parent}' is of type ${card.type}: '${key}' has no effect on its step '${child}'. Remove it.`;
          add('settings-unused-delegation', [...path, key], text);
        }
      }
      issues.push(...checkDelegation(settings, report, parent, byName.get(child), byName));
    }
  }
  issues.push(...checkHitl(settings, report, cards));
  const mayCreate = Object.values(settings.toolsets).some(({ delegation }) => delegation?.create === 'allowed');
  for (const { agent, path, as, section } of agentMentions(settings)) {
    // The tool may come from a server, a script may call a worker that the run creates, and `entry` has its own issue.
    if (as === 'tool' || as === 'value' || isKnown(agent)) continue;
    if (section === 'scripts' && mayCreate) continue;
    // A misspelt name there is an error, see check-approvals.ts.
    if (section === 'approvals') continue;
    const text = `'${section}' names agent '${agent}', which does not exist. Rename or remove the entry.`;
    add('settings-unknown-agent', path, text);
  }
  return issues;
}
