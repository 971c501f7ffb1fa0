import { globMatch } from '@/lib/base/fnmatch';
import type { Issue } from '@/lib/base/issue';
import { agentView } from '@/lib/cards/agent-view';
import type { AgentCard, Card } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import type { IssueCode } from '@/lib/cards/issue-codes';
import { type FileReport, makeIssue } from '@/lib/cards/read/file-report';
import { membersOf } from '@/lib/cards/read/members';
import type { Settings } from '@/lib/cards/settings';
import { childToolName } from '@/lib/cards/tool-name';
import { workerPolicy } from '@/lib/cards/worker-policy';
import { mostOfferedAtOnce } from '@/lib/cards/worker-settings';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { builtInTools } from './check-tool-names';

/**
 * Checks `approvals` against the cards. A rule about an agent that does not exist is an error, because a person would believe
 * that calls ask which do not. `names` of unreadable cards count as known.
 */
export function checkApprovals(
  settings: Settings,
  report: FileReport,
  cards: readonly Card[],
  brokenNames: ReadonlySet<string>,
): Issue[] {
  const { agents = {}, rules = [] } = settings.approvals;
  if (rules.length === 0 && Object.keys(agents).length === 0) return [];
  const issues: Issue[] = [];
  const byName = new Map([...cards].reverse().map((card) => [card.name, card]));
  const mayCreate = Object.values(settings.toolsets).some(({ delegation }) => delegation?.create === 'allowed');
  const add = (code: IssueCode, path: Path, message: string) =>
    issues.push(makeIssue(code, { file: report.file, ...report.placeOf(path) }, message));
  const checkAgent = (name: string, path: Path) => {
    if (byName.has(name) || brokenNames.has(name)) return;
    const known = [...byName.keys()].sort().join(', ') || 'none';
    if (mayCreate) {
      const text = `'approvals' names agent '${name}', which no card defines. It counts only if a run creates an agent with this name.`;
      add('settings-unknown-agent', path, text);
    } else {
      const text = `'approvals' names agent '${name}', which does not exist. Correct the name, or remove it. Agents: ${known}.`;
      add('approval-agent', path, text);
    }
  };
  for (const name of Object.keys(agents)) {
    const path = ['approvals', 'agents', name];
    if (!byName.has(name) && !brokenNames.has(name)) checkAgent(name, path);
    else if (byName.get(name)?.type === 'a2a') {
      add(
        'approval-unused',
        path,
        `'${name}' is a remote agent and calls no tools here, so this is unused. Remove it.`,
      );
    }
  }
  rules.forEach((rule, index) => {
    const path = ['approvals', 'rules', index];
    rule.agents?.forEach((name, at) => {
      checkAgent(name, [...path, 'agents', at]);
    });
    const callers = rule.agents?.flatMap((name) => byName.get(name) ?? []) ?? [...byName.values()];
    const isComplete = brokenNames.size === 0 && !mayCreate;
    rule.tools.forEach((pattern, at) => {
      if (!isComplete || callers.some((card) => mayMatch(pattern, agentView(card), settings, byName))) return;
      const whose = rule.agents === undefined ? 'no agent' : `none of ${rule.agents.join(', ') || 'no agents'}`;
      const text = `The rule is for tools '${pattern}', but ${whose} has such a tool. Correct the pattern, or remove it.`;
      add('approval-unused', [...path, 'tools', at], text);
    });
    if (rule.tools.length === 0 || rule.agents?.length === 0) {
      const key = rule.tools.length === 0 ? 'tools' : 'agents';
      add(
        'approval-unused',
        [...path, key],
        `The rule names no ${key}, so it counts for no call. Name some, or remove it.`,
      );
    }
    for (const key of ['edit', 'limit_s', 'at_limit'] as const) {
      if (rule[key] === undefined || rule.effect === 'ask') continue;
      const text = `'${key}' is about a question, and a rule with 'effect: ${rule.effect}' asks none. Remove it.`;
      add('approval-unused', [...path, key], text);
    }
    if (rule.at_limit !== undefined && rule.limit_s === undefined && rule.effect === 'ask') {
      add(
        'approval-unused',
        [...path, 'at_limit'],
        "'at_limit' needs 'limit_s': without it a question has no end. Add it.",
      );
    }
    if (rule.on_denied !== undefined && rule.effect === 'allow') {
      add('approval-unused', [...path, 'on_denied'], "A rule with 'effect: allow' denies nothing. Remove 'on_denied'.");
    }
  });
  return issues;
}

/** True if the agent may have a tool of such a name. Tools of servers are unknown before a run; only their prefix is known. */
function mayMatch(pattern: string, card: AgentCard, settings: Settings, cards: ReadonlyMap<string, Card>): boolean {
  const policy = workerPolicy(card, cards.keys(), settings);
  const children = [...membersOf(cards.get(card.name) ?? card), ...policy.tools, ...policy.callable];
  const names = [
    ...card.functionTools.map(({ functionName }) => functionName),
    ...builtInTools(card, settings),
    ...children.map((child) =>
      childToolName(child, settings.tool_naming, delegationOptions(settings, card.name, child).tool_name),
    ),
    ...(policy.hasWorkerCall ? ['worker_call'] : []),
    ...(policy.mayCreate ? ['worker_create'] : []),
    ...(Object.hasOwn(settings.tool_groups, card.name) ? ['activate_tool_groups'] : []),
    ...(mostOfferedAtOnce(settings, card.name) === undefined ? [] : ['find_tools']),
    'read_skill',
  ];
  const servers = [...card.servers, ...card.mcpConnect.map(({ name }) => name)];
  return names.some((name) => globMatch(pattern, name)) || servers.some((server) => mayBegin(pattern, `${server}__`));
}

/** True if the pattern may match a name with this beginning. */
function mayBegin(pattern: string, beginning: string): boolean {
  const characters = [...pattern];
  return characters.some((_, at) => globMatch(characters.slice(0, at + 1).join(''), beginning));
}
