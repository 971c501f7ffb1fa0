import type { Issue } from '@/lib/base/issue';
import { own } from '@/lib/base/own';
import { agentView } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { type FileReport, makeIssue } from '@/lib/cards/read/file-report';
import { membersOf } from '@/lib/cards/read/members';
import type { Settings } from '@/lib/cards/settings';
import { workerPolicy } from '@/lib/cards/worker-policy';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/**
 * Reports delegations of which only one side hands on children that wait for people: `enable_hitl` of the edge without
 * `enable_sub_agent_hitl` of its parent, and a parent that has no such edge. Both count as off.
 */
export function checkHitl(settings: Settings, report: FileReport, cards: readonly Card[]): Issue[] {
  const issues: Issue[] = [];
  const add = (path: Path, message: string) =>
    issues.push(makeIssue('hitl-mismatch', { file: report.file, ...report.keyPlaceOf(path) }, message));
  const refused: string[] = [];

  for (const card of cards) {
    const parent = card.name;
    const handing = childrenOf(settings, card, cards).filter(
      (child) => delegationOptions(settings, parent, child).enable_hitl === true,
    );
    if (own(settings.enable_sub_agent_hitl, parent) === true) {
      if (handing.length > 0) continue;
      const text = `'${parent}' takes over children that wait for people, but none of its delegations has 'enable_hitl': this counts as off. Set it on a delegation, or remove this.`;
      add(['enable_sub_agent_hitl', parent], text);
      continue;
    }
    const edges = own(settings.delegations, parent) ?? {};
    for (const child of handing) {
      if (own(edges, child)?.enable_hitl !== true) {
        if (!refused.includes(parent)) refused.push(parent);
        continue;
      }
      const text = `'${child}' hands on what it asks people, but '${parent}' does not take it: this counts as off. Add 'enable_sub_agent_hitl: {${parent}: true}', or remove 'enable_hitl'.`;
      add(['delegations', parent, child, 'enable_hitl'], text);
    }
  }
  if (refused.length > 0) {
    const text = `Children hand on what they ask people, but these parents do not take it: ${refused.join(', ')}. For them this counts as off. Add them to 'enable_sub_agent_hitl', or remove 'enable_hitl'.`;
    add(['delegation_defaults', 'enable_hitl'], text);
  }
  return issues;
}

function childrenOf(settings: Settings, card: Card, cards: readonly Card[]): readonly string[] {
  const names = cards.map(({ name }) => name);
  const { callable, tools } = workerPolicy(agentView(card), names, settings);
  return [...new Set([...membersOf(card), ...callable, ...tools])];
}
