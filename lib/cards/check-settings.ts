import type { Issue } from '@/lib/base/issue';
import type { Card } from './card';
import { checkDelegation } from './check-delegation';
import type { FileReport } from './file-report';
import { makeIssue } from './file-report';
import type { IssueCode } from './issue-codes';
import type { Settings } from './settings';
import type { Path } from './yaml-source';

/** callboard.yaml against the cards: what it names must exist. `names` includes cards that could not be read. */
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
    if (!isKnown(parent)) add('settings-unknown-agent', ['delegations', parent], unknown(parent, 'delegations'));
    for (const child of Object.keys(children)) {
      const path = ['delegations', parent, child];
      if (!isKnown(child)) add('settings-unknown-agent', path, unknown(child, 'delegations'));
      else if (card !== undefined && !('agents' in card && card.agents.includes(child))) {
        const text = `'${parent}' does not delegate to '${child}', so these options are unused. Add the child or remove them.`;
        add('settings-unused-delegation', path, text);
      }
      issues.push(...checkDelegation(settings, report, parent, byName.get(child)));
    }
  }
  for (const name of Object.keys(settings.scripts)) {
    if (!isKnown(name)) add('settings-unknown-agent', ['scripts', name], unknown(name, 'scripts'));
  }
  for (const node of Object.keys(settings.canvas.positions)) {
    const name = /^agent:(.+)$/.exec(node)?.[1];
    if (name === undefined || isKnown(name)) continue;
    add('settings-unknown-agent', ['canvas', 'positions', node], unknown(name, 'canvas.positions'));
  }
  return issues;
}

function unknown(name: string, section: string): string {
  return `'${section}' names agent '${name}', which does not exist. Rename or remove the entry.`;
}
