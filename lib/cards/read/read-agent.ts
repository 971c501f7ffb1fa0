import type { AgentCard, AgentsAsToolsOptions } from '@/lib/cards/card';
import { type CardContext, refer, referAll } from './card-context';
import { delegationFields } from './card-fields';
import { describeValue, toJson } from './describe-value';
import { isGiven, readFlag, readInteger, readNumber, readText, readTexts, readWord, refuseNull } from './fields';
import type { OwnFields } from './own-fields';
import { readFunctionTools, readLifecycleHooks, readToolHooks } from './read-code';
import { readCommands } from './read-commands';
import { readMcpConnect } from './read-mcp-connect';
import { readModelFields, readServerFields } from './read-model-fields';
import { readToolSchema } from './read-tool-schema';

/** Reads the fields of `type: agent`. */
export function readAgent(card: CardContext): OwnFields<AgentCard> {
  refuseNull(card, ['subagent_model']);
  const isSmart = typeof card.value.type === 'string' && card.value.type.trim().toLowerCase() === 'smart';
  const agents = referAll(card, 'agent', readTexts(card, 'agents'), 'agents');
  const harnessTools = readFlag(card, 'harness_tools', isSmart);
  if (harnessTools && card.value.tool_only === true) {
    const text = "'harness_tools' and 'tool_only' exclude each other. Remove one of them.";
    card.report.reportKey(
      'harness-and-tool-only',
      [card.value.harness_tools === true ? 'harness_tools' : 'tool_only'],
      text,
    );
  }
  return {
    type: 'agent',
    ...readModelFields(card, { useHistory: true }),
    ...readServerFields(card),
    ...readDelegationOptions(card, agents.length > 0),
    agents,
    functionTools: readFunctionTools(card),
    toolHooks: readToolHooks(card),
    lifecycleHooks: readLifecycleHooks(card),
    mcpConnect: readMcpConnect(card),
    skills: readSkills(card),
    toolInputSchema: readToolSchema(card),
    trimToolHistory: readFlag(card, 'trim_tool_history', false),
    shell: readFlag(card, 'shell', false),
    cwd: readText(card, 'cwd'),
    subagents: readSubagents(card, isSmart),
    subagentModel: readText(card, 'subagent_model'),
    harnessTools,
    commands: readCommands(card),
    variables: card.value.variables === undefined ? undefined : toJson(card.value.variables),
  };
}

/** fast-agent reads these fields only if there are children, and otherwise ignores invalid values. */
function readDelegationOptions(card: CardContext, hasAgents: boolean): AgentsAsToolsOptions {
  if (!hasAgents) {
    for (const field of delegationFields) {
      if (!isGiven(card, field)) continue;
      const text = `'${field}' is ignored, because the agent has no 'agents'. Add some, or remove the line.`;
      card.report.reportKey('options-ignored', [field], text);
    }
    return {
      historySource: undefined,
      historyMergeTarget: undefined,
      maxParallel: undefined,
      childTimeoutSec: undefined,
      maxDisplayInstances: undefined,
    };
  }
  const historySource = readWord(card, 'history_source', ['none', 'messages', 'child', 'orchestrator']);
  if (historySource === 'messages') {
    const text =
      "'history_source: messages' fails in fast-agent 0.10 (it never finds the files). Use another source there.";
    card.report.report('history-messages-broken', ['history_source'], text);
  }
  return {
    historySource,
    historyMergeTarget: readWord(card, 'history_merge_target', ['none', 'child', 'orchestrator']),
    maxParallel: positive(card, 'max_parallel', readInteger(card, 'max_parallel')),
    childTimeoutSec: positive(card, 'child_timeout_sec', readNumber(card, 'child_timeout_sec')),
    maxDisplayInstances: positive(card, 'max_display_instances', readInteger(card, 'max_display_instances')),
  };
}

function positive(card: CardContext, key: string, value: number | undefined): number | undefined {
  if (value === undefined || value > 0) return value;
  card.report.report('out-of-range', [key], `'${key}' must be greater than 0, not ${value}.`);
  return undefined;
}

/** fast-agent accepts any value here and ignores invalid ones, so they are warnings. */
function readSkills(card: CardContext): readonly string[] | undefined {
  const { skills } = card.value;
  if (skills === undefined || skills === null) return undefined;
  const wanted = 'a directory or a list of them, such as [skills]; [] for none';
  if (typeof skills === 'string' && skills.trim() !== '') {
    refer(card, 'skills', skills, ['skills']);
    return [skills];
  }
  if (!Array.isArray(skills)) {
    const text = `'skills' must be ${wanted}, not ${describeValue(skills)}. It is ignored, and the default directories are used.`;
    card.report.report('skills-ignored', ['skills'], text);
    return undefined;
  }
  return referAll(
    card,
    'skills',
    skills.filter((entry, index): entry is string => {
      if (typeof entry === 'string' && entry.trim() !== '') return true;
      const text = `'skills' must be ${wanted}. The entry ${describeValue(entry)} is ignored. Remove it or name a directory.`;
      card.report.report('skills-ignored', ['skills', index], text);
      return false;
    }),
    'skills',
  );
}

function readSubagents(card: CardContext, isSmart: boolean): boolean | undefined {
  const { subagents } = card.value;
  if (subagents === undefined) return isSmart ? true : undefined;
  if (typeof subagents === 'boolean') return subagents;
  const text = `'subagents' must be true or false, not ${describeValue(subagents)}. Remove the line to leave it unset.`;
  card.report.report('wrong-type', ['subagents'], text);
  return undefined;
}
