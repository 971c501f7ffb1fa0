import { globMatch } from '@/lib/base/fnmatch';
import { isJson, isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { YamlEdits } from '@/lib/cards/edit/yaml-batch';
import { fieldOf } from '@/lib/cards/read/read-field';
import { childToolName, type ToolNaming } from '@/lib/cards/tool-name';
import { append, isSame, listOf, textsIn } from './settings-values';

/** An agent that comes: its name before and now, and the names of its tool in the two projects. */
export interface ComingAgent {
  readonly from: string;
  readonly to: string;
  readonly toolThere: string;
  readonly toolHere: string;
}

export function comingAgent(from: string, to: string, there: ToolNaming, here: ToolNaming): ComingAgent {
  return { from, to, toolThere: childToolName(from, there), toolHere: childToolName(to, here) };
}

const path = ['approvals', 'rules'];

/**
 * Brings rules along. `before` are the rules as they were written, `now` with the names that servers and agents have here. A rule
 * that the project has too also holds for the new agents. Any other one is narrowed to them, so that it decides nothing about
 * agents and calls that were here before. The strictest rule for a call counts, so the order of rules means nothing.
 */
export function addRules(
  draft: YamlEdits,
  file: string,
  agents: readonly ComingAgent[],
  { before, now }: { readonly before: JsonObject; readonly now: JsonObject },
): void {
  const rules = listOf(fieldOf(now, path));
  for (const [index, written] of listOf(fieldOf(before, path)).entries()) {
    const rule = rules[index];
    if (!isRecord(written) || !isRecord(rule) || !isJson(rule)) continue;
    const tools = textsIn(written.tools);
    const theirs = toolsOfThem(tools, agents);
    // Texts that mean nothing but an agent that came. Its tool may be written in another way here.
    const isTheirs = (tool: string | undefined) => agents.some(({ toolThere }) => toolThere === tool);
    const rest = textsIn(rule.tools).filter((_, place) => !isTheirs(tools[place]));
    const twin = listOf(draft.read(file, path)).findIndex((own) => isTwin(own, written));
    if (twin === -1) append(draft, file, path, narrowed(rule, { theirs, rest }, agents));
    else {
      append(draft, file, [...path, twin, 'tools'], uncovered(tools, theirs));
      const callers = agents.filter(({ from }) => textsIn(written.agents).includes(from));
      if (written.agents !== undefined)
        append(
          draft,
          file,
          [...path, twin, 'agents'],
          callers.map(({ to }) => to),
        );
    }
  }
}

/** The names of the tools of the new agents that a rule or a condition with these patterns means. */
export function toolsOfThem(patterns: readonly string[], agents: readonly ComingAgent[]): string[] {
  const isMeant = ({ toolThere }: ComingAgent) => patterns.some((pattern) => globMatch(pattern, toolThere));
  return agents.filter(isMeant).map(({ toolHere }) => toolHere);
}

/** The names that no pattern takes yet. */
export function uncovered(patterns: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => !patterns.some((pattern) => globMatch(pattern, name)));
}

interface RuleTools {
  /** The tools of the new agents. */
  readonly theirs: readonly string[];
  /** The other tools. */
  readonly rest: readonly string[];
}

/** A rule that is a new one here: for calls by the new agents, and for calls of them by others. */
function narrowed(rule: JsonObject, { theirs, rest }: RuleTools, agents: readonly ComingAgent[]): Json[] {
  const names = agents.map(({ to }) => to);
  const ofThem: Json[] = theirs.length > 0 ? [{ ...withoutAgents(rule), tools: [...theirs] }] : [];
  if (rule.agents === undefined)
    return [...ofThem, ...(rest.length > 0 ? [{ ...rule, tools: [...rest], agents: names }] : [])];
  const callers = textsIn(rule.agents).filter((agent) => names.includes(agent));
  if (callers.length > 0) return [{ ...rule, tools: [...rest, ...uncovered(rest, theirs)], agents: callers }];
  // The callers are not here. A guard of the agents holds for whoever calls them; what was allowed to some is not allowed to all.
  return rule.effect === 'allow' ? [] : ofThem;
}

function withoutAgents({ agents: _agents, ...rule }: JsonObject): JsonObject {
  return rule;
}

/** True if both say the same, whatever the order of their lists is. */
function isTwin(own: unknown, rule: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(own) || (own.agents === undefined) !== (rule.agents === undefined)) return false;
  const plain = (one: Readonly<Record<string, unknown>>) => ({ ...one, tools: [], agents: [] });
  return isSame(plain(own), plain(rule)) && sameSet(own.tools, rule.tools) && sameSet(own.agents, rule.agents);
}

function sameSet(a: unknown, b: unknown): boolean {
  const [left, right] = [textsIn(a), textsIn(b)];
  return left.every((text) => right.includes(text)) && right.every((text) => left.includes(text));
}
