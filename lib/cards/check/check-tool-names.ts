import type { Issue } from '@/lib/base/issue';
import type { AgentCard } from '@/lib/cards/card';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { parseModel } from '@/lib/cards/models/model-string';
import { type FileReport, makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import type { Settings } from '@/lib/cards/settings';
import { childToolName } from '@/lib/cards/tool-name';
import { workerPolicy } from '@/lib/cards/worker-policy';
import { mostOfferedAtOnce } from '@/lib/cards/worker-settings';
import { issueAt } from './check-references';

/**
 * Above this number a warning is given, because models choose badly among many tools. Tools of servers are not counted,
 * because they are unknown before a run.
 */
const manyTools = 40;

/** These names of tools of the runtime are reserved even when the tools are not offered. */
const alwaysReserved = ['worker_call', 'worker_create', 'activate_tool_groups', 'find_tools'];

/**
 * Checks that the tools of an agent have different names: function tools, built-in tools, tools of the provider and children.
 * `checkWorkerNames` checks workers. Tools of servers are unknown here; in a run such a tool keeps its name, and a child with
 * the same name is left out.
 */
export function checkToolNames(cards: readonly CardReading[], settings: Settings): Issue[] {
  return cards.flatMap((reading) => {
    const known = checked.get(reading);
    if (known?.settings === settings) return known.issues;
    const issues = checkCard(reading, settings);
    checked.set(reading, { settings, issues });
    return issues;
  });
}

/** Unchanged cards are not checked again, because the result depends only on the card and the settings. */
const checked = new WeakMap<CardReading, { readonly settings: Settings; readonly issues: readonly Issue[] }>();

function checkCard(reading: CardReading, settings: Settings): readonly Issue[] {
  const { card } = reading;
  if (card?.type !== 'agent') return [];
  const owners = builtInOwners(card, settings);
  const issues = checkFunctions(reading, owners);
  for (const reference of reading.references) {
    if (reference.kind !== 'agent' || reference.field !== 'agents' || reference.target.includes('${')) continue;
    const child = reference.target;
    const name = nameOf(card.name, child, settings);
    const owner = owners.get(name);
    const next = `Give the delegation another 'tool_name' in callboard.yaml, or rename the agent.`;
    if (owner === undefined) owners.set(name, `child '${child}'`);
    else if (owner === reserved) {
      const text = `Child '${child}' would be offered as '${name}', a name that Callboard keeps for itself. ${next}`;
      issues.push(issueAt('tool-name-reserved', reading, reference, text));
    } else if (owner !== `child '${child}'`) {
      const text = `Child '${child}' and the ${owner} would both be offered as '${name}'. ${next}`;
      issues.push(issueAt('tool-name-clash', reading, reference, text));
    }
  }
  const isFound = card.functionTools.length > (mostOfferedAtOnce(settings, card.name) ?? Number.POSITIVE_INFINITY);
  const count = card.agents.length + (isFound ? 0 : card.functionTools.length);
  if (count > manyTools) {
    const text = `Agent '${card.name}' has ${count} children and function tools, more than the ${manyTools} a model chooses well among. Use tool groups, 'find_tools' or 'worker_call'.`;
    issues.push(issueAt('many-tools', reading, reading.place, text));
  }
  return issues;
}

/** Checks function tools, which have the names of their functions. Adds names without a clash to `owners`. */
function checkFunctions(reading: CardReading, owners: Map<string, string>): Issue[] {
  return reading.references.flatMap((reference) => {
    if (reference.kind !== 'function') return [];
    const { spec, functionName: name } = reference.code;
    const owner = owners.get(name);
    if (owner === undefined) {
      owners.set(name, functionOwner(spec));
      return [];
    }
    if (owner === functionOwner(spec)) {
      return [issueAt('tool-name-clash', reading, reference, `Function tool '${spec}' is listed twice. Remove one.`)];
    }
    if (owner === reserved) {
      const text = `Function tool '${spec}' would be offered as '${name}', a name that Callboard keeps for itself. Rename the function.`;
      return [issueAt('tool-name-reserved', reading, reference, text)];
    }
    const text = `Function tool '${spec}' and the ${owner} would both be offered as '${name}'. Rename the function.`;
    return [issueAt('tool-name-clash', reading, reference, text)];
  });
}

/**
 * Checks the names of workers that are tools (`expose_as_tools`, `worker_tools`) against all other tools of their caller.
 * Issues are at the caller's `toolsets` in callboard.yaml.
 */
export function checkWorkerNames(cards: readonly CardReading[], settings: Settings, report: FileReport): Issue[] {
  const agents = cards.flatMap(({ card }) => (card === undefined ? [] : [card.name]));
  return cards.flatMap(({ card }) => {
    if (card?.type !== 'agent' || !Object.hasOwn(settings.toolsets, card.name)) return [];
    const owners = builtInOwners(card, settings);
    for (const tool of card.functionTools) owners.set(tool.functionName, functionOwner(tool.entrypoint));
    for (const child of card.agents) owners.set(nameOf(card.name, child, settings), `child '${child}'`);
    const place = { file: report.file, ...report.keyPlaceOf(['toolsets', card.name]), agent: card.name };
    return workerPolicy(card, agents, settings).tools.flatMap((worker) => {
      const name = nameOf(card.name, worker, settings);
      const owner = owners.get(name);
      const next = `Give 'delegations.${card.name}.${worker}' another 'tool_name', or do not offer the worker as a tool.`;
      if (owner === undefined) {
        owners.set(name, `worker '${worker}'`);
        return [];
      }
      if (owner === reserved) {
        const text = `Worker '${worker}' of '${card.name}' would be offered as '${name}', a name that Callboard keeps for itself. ${next}`;
        return [makeIssue('tool-name-reserved', place, text)];
      }
      const text = `Worker '${worker}' of '${card.name}' and the ${owner} would both be offered as '${name}'. ${next}`;
      return [makeIssue('tool-name-clash', place, text)];
    });
  });
}

/**
 * Checks the names of `external_tools` against the names that Callboard keeps for itself, and against the other built-in tools of their
 * agents. Function tools and children with the same name are reported where they are named.
 */
export function checkExternalNames(cards: readonly CardReading[], settings: Settings, report: FileReport): Issue[] {
  return Object.entries(settings.external_tools).flatMap(([name, { agents }]) => {
    const place = { file: report.file, ...report.keyPlaceOf(['external_tools', name]) };
    if (alwaysReserved.includes(name)) {
      const text = `External tool '${name}' has a name that Callboard keeps for itself. Rename it.`;
      return [makeIssue('tool-name-reserved', place, text)];
    }
    return cards.flatMap(({ card }) => {
      if (card?.type !== 'agent' || !agents.includes(card.name)) return [];
      const isBuiltIn = builtInTools(card, { ...settings, external_tools: {} }).includes(name);
      if (!isBuiltIn && !providerTools(card).includes(name)) return [];
      const what = isBuiltIn ? 'built-in tool' : "provider's tool";
      const text = `External tool '${name}' and the ${what} '${name}' would both be offered to agent '${card.name}'. Rename the external tool.`;
      return [makeIssue('tool-name-clash', { ...place, agent: card.name }, text)];
    });
  });
}

const reserved = 'reserved';

function nameOf(parent: string, child: string, settings: Settings): string {
  return childToolName(child, settings.tool_naming, delegationOptions(settings, parent, child).tool_name);
}

function functionOwner(spec: string): string {
  return `function tool '${spec}'`;
}

/** Returns the owners of tool names, before function tools and children. */
function builtInOwners(card: AgentCard, settings: Settings): Map<string, string> {
  const owners = new Map(alwaysReserved.map((name) => [name, reserved]));
  for (const name of builtInTools(card, settings)) owners.set(name, `built-in tool '${name}'`);
  for (const name of providerTools(card)) owners.set(name, `provider's tool '${name}'`);
  return owners;
}

/** Returns the names of the built-in tools that an agent is offered by its card and the settings. */
export function builtInTools(card: AgentCard, { runtime_tools, external_tools }: Settings): string[] {
  return [
    ...(card.shell ? ['execute'] : []),
    ...(card.humanInput ? ['__human_input'] : []),
    ...(card.skills !== undefined && card.skills.length > 0 ? ['read_skill'] : []),
    ...(runtime_tools.files ? ['read_file', 'list_files'] : []),
    ...(runtime_tools.state ? ['get_state', 'set_state'] : []),
    ...(runtime_tools.artifacts ? ['save_artifact', 'load_artifact', 'list_artifacts'] : []),
    ...Object.entries(external_tools).flatMap(([name, { agents }]) => (agents.includes(card.name) ? [name] : [])),
  ];
}

/** Returns the tools of the provider. `gpt-5?web_search=on` has a tool `web_search`. */
function providerTools(card: AgentCard): string[] {
  const model = card.model === undefined ? undefined : parseModel(card.model);
  if (!model?.ok) return [];
  const { params } = model.value;
  return ['web_search', 'x_search', 'web_fetch'].filter((name) => params[name] === true || params[name] === 'on');
}
