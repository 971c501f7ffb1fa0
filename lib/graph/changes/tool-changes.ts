import { canonicalJson } from '@/lib/base/canonical-json';
import { globMatch } from '@/lib/base/fnmatch';
import { globCovers } from '@/lib/base/glob-covers';
import { filterTakes } from '@/lib/base/name-filter';
import { own } from '@/lib/base/own';
import type { AgentCard } from '@/lib/cards/card';
import { listFunctions } from '@/lib/cards/code/list-functions';
import { isWildcard, nameOfPattern } from '@/lib/cards/filter-patterns';
import { skillsOf } from '@/lib/cards/read/skills';
import { codeKey, type Renames } from './align';
import { type Found, listChange, quoted, switchChange } from './capability-change';
import { allWriteWords, listedChanges, toolPrintChanges, writeWords } from './listed-changes';
import { type AgentPair, both, type Side, type Sides } from './project-side';

/** What the model of one agent can call: tools of servers, functions, tools that people answer, skills. */
export function toolChanges(sides: Sides, pair: AgentPair, renames: Renames): Found[] {
  return [
    ...serverToolChanges(sides, pair),
    ...functionChanges(sides, pair, renames),
    ...externalChanges(sides, pair),
    ...groupChanges(sides, pair),
    ...skillChanges(sides, pair),
  ];
}

const offers = [
  { kind: 'tool', field: 'tools', can: 'call', one: 'the tool', many: 'the tools', every: 'every tool' },
  {
    kind: 'resource',
    field: 'resources',
    can: 'read',
    one: 'the resource',
    many: 'the resources',
    every: 'every resource',
  },
  { kind: 'prompt', field: 'prompts', can: 'use', one: 'the prompt', many: 'the prompts', every: 'every prompt' },
] as const;
type Offer = (typeof offers)[number];

/** `undefined` is all that a server offers. */
type Filter = readonly string[] | undefined;

function serverToolChanges({ before, after }: Sides, pair: AgentPair): Found[] {
  return both(serversOf(pair.before), serversOf(pair.after)).flatMap((server) =>
    offers.flatMap((offer) => {
      const [old, now] = [filterOf(pair.before, server, offer), filterOf(pair.after, server, offer)];
      // Without a filter they come with the server, and are told with its tools.
      if (
        offer.kind !== 'tool' &&
        [pair.before, pair.after].every((card) => own(card[offer.field], server) === undefined)
      )
        return [];
      const isPlain = offer.kind !== 'tool' && (isAbsent(old) ? now : old) === undefined;
      if ((isAbsent(old) || isAbsent(now)) && isPlain) return [];
      const prints =
        offer.kind === 'tool'
          ? toolPrintChanges({ agent: pair.name, server, before, after }, { before: old, after: now })
          : [];
      return [...filterChanges({ pair, server, offer, before, after }, old, now), ...prints];
    }),
  );
}

interface FilterAbout {
  readonly pair: AgentPair;
  readonly server: string;
  readonly offer: Offer;
  readonly before: Side;
  readonly after: Side;
}

function filterChanges({ pair, server, offer, before, after }: FilterAbout, old: Filter, now: Filter): Found[] {
  const { name } = pair;
  const { kind, can, one, many, every, field } = offer;
  const of = `of the server '${server}'`;
  const isWritten = [pair.before, pair.after].some((card) => own(card[field], server) !== undefined);
  const at = { agent: name, path: isWritten ? [field, server] : ['servers'] };
  const about = (entry?: string) => ({
    kind,
    at,
    subject: { agent: name, server, ...(kind === 'tool' && entry !== undefined ? { tool: nameOfPattern(entry) } : {}) },
  });
  const entries = (list: readonly string[]) => (list.length === 0 ? 'none' : quoted(list.map(nameOfPattern)));
  if (old === undefined && now === undefined) {
    return kind === 'tool' ? listedChanges({ agent: name, server, before, after }) : [];
  }
  if (now === undefined) {
    const rights = kind === 'tool' ? allWriteWords(own(after.listed, server)) : '';
    const was = isAbsent(old) ? '' : ` Before it was ${entries(old ?? [])}.`;
    return [{ ...about(), weight: 'more', sentence: `Agent '${name}' can now ${can} ${every} ${of}.${was}${rights}` }];
  }
  if (old === undefined) {
    const is = isAbsent(now) ? '' : ` Now it is ${entries(now)}.`;
    return [{ ...about(), weight: 'less', sentence: `Agent '${name}' can no longer ${can} ${every} ${of}.${is}` }];
  }
  const compare = (was: readonly string[], is: readonly string[]) =>
    listChange(
      about,
      was.filter((entry) => !isCovered(entry, is)),
      is.filter((entry) => !isCovered(entry, was)),
      (entry, isNew) => {
        const rights = isNew && kind === 'tool' ? writeWords(own(after.listed, server), nameOfPattern(entry)) : '';
        const kept = isNew ? '' : keptWords(entry, is);
        return `Agent '${name}' ${isNew ? 'can now' : 'can no longer'} ${can} ${isWildcard(entry) ? many : one} '${nameOfPattern(entry)}' ${of}.${rights}${kept}`;
      },
    );
  const byName = compare(expanded(old, offer, before, server), expanded(now, offer, after, server));
  if (byName.length === 0) return compare(old, now);
  // A wider pattern also takes tools that the server will list.
  const isSaid = (pattern: string) =>
    byName.some(({ weight, subject }) => weight === 'more' && globMatch(pattern, subject.tool ?? ''));
  const wider = compare(old, now).filter(
    ({ weight, subject: { tool = '' } }) => weight === 'more' && isWildcard(tool) && !isSaid(tool),
  );
  return [...byName, ...wider];
}

/** A pattern is replaced by the listed names that it takes. */
function expanded(filter: readonly string[], { kind }: Offer, { listed }: Side, server: string): string[] {
  const names = kind === 'tool' ? own(listed, server) : undefined;
  return filter.flatMap((pattern) => {
    const taken = isWildcard(pattern) ? Object.keys(names ?? {}).filter((name) => globMatch(pattern, name)) : [];
    return taken.length === 0 ? [pattern] : taken;
  });
}

/** True if a pattern of the other side takes the name, or all names of the pattern, too. */
function isCovered(entry: string, other: readonly string[]): boolean {
  if (other.includes(entry)) return false;
  return isWildcard(entry)
    ? other.some((pattern) => globCovers(pattern, entry, true))
    : filterTakes(other, nameOfPattern(entry));
}

/** Says which of the names of a pattern that is gone can still be used. */
function keptWords(entry: string, now: readonly string[]): string {
  const kept = isWildcard(entry) ? now.filter((pattern) => globCovers(entry, pattern, true)) : [];
  return kept.length === 0 ? '' : ` Of these it keeps ${quoted(kept.map(nameOfPattern))}.`;
}

const absent: readonly string[] = [];

function isAbsent(filter: Filter): boolean {
  return filter === absent;
}

function filterOf(card: AgentCard, server: string, { kind, field }: Offer): Filter {
  if (!serversOf(card).includes(server)) return absent;
  const filter = own(card[field], server);
  if (filter?.includes('*')) return undefined;
  if (filter !== undefined || kind === 'tool') return filter;
  // Without a filter of their own, they are read by a tool of Callboard, which the filter of tools may leave out.
  return filterTakes(own(card.tools, server), readers[kind]) ? undefined : [];
}

/** The tools by which a model reads resources and uses prompts of a server. */
const readers = { resource: 'read_resource', prompt: 'get_prompt' } as const;

export function serversOf({ servers, mcpConnect }: Pick<AgentCard, 'servers' | 'mcpConnect'>): string[] {
  return [...new Set([...servers, ...mcpConnect.map(({ name }) => name)])];
}

function functionChanges(sides: Sides, { name, before, after }: AgentPair, { functions }: Renames): Found[] {
  const about = (tool: string) => ({
    kind: 'tool' as const,
    subject: { agent: name, tool: tool.split(':').at(-1), file: tool.slice(0, tool.lastIndexOf(':')) },
    at: { agent: name, path: ['function_tools'] },
  });
  const old = new Map(before.functionTools.map((tool) => [functions.get(codeKey(tool)) ?? codeKey(tool), tool]));
  const now = new Map(after.functionTools.map((tool) => [codeKey(tool), tool]));
  const words = (key: string) => `the function '${key.split(':').at(-1)}' of ${key.slice(0, key.lastIndexOf(':'))}`;
  return [
    ...listChange(
      about,
      old.keys(),
      now.keys(),
      (key, isNew) => `Agent '${name}' ${isNew ? 'can now' : 'can no longer'} call ${words(key)}.`,
    ),
    ...[...now].flatMap(([key, tool]) => {
      const was = old.get(key);
      return switchChange(about(key), (was ?? tool).variant === 'code', tool.variant === 'code', {
        on: `Agent '${name}' may now pass code of its own to ${words(key)}.`,
        off: `Agent '${name}' may no longer pass code of its own to ${words(key)}.`,
      });
    }),
    ...[...now].flatMap(([key, tool]): Found[] => {
      const was = old.get(key);
      if (was === undefined || docOf(sides.before, was) === docOf(sides.after, tool)) return [];
      const sentence = `What ${words(key)} says of itself is different. The model of agent '${name}' reads it.`;
      return [{ ...about(key), weight: 'same-but-different', sentence, at: { file: tool.file } }];
    }),
  ];
}

/** Returns the comment or docstring from which the description of a function tool and of its parameters are made. */
function docOf({ folder }: Side, { file, functionName }: AgentCard['functionTools'][number]): string | undefined {
  const source = folder.get(file);
  if (source === undefined) return undefined;
  return listFunctions(new Map([[file, source]])).find(({ name }) => name === functionName)?.doc;
}

function externalChanges({ before, after }: Sides, { name }: AgentPair): Found[] {
  const toolsOf = ({ parsed }: Side) =>
    Object.entries(parsed.settings.external_tools).flatMap(([tool, { agents }]) =>
      agents.includes(name) ? [tool] : [],
    );
  const about = (tool: string) =>
    ({ kind: 'person', subject: { agent: name, tool }, at: { settings: ['external_tools', tool] } }) as const;
  const [old, now] = [toolsOf(before), toolsOf(after)];
  const textOf = ({ parsed }: Side, tool: string) => {
    const { agents: _, ...rest } = own(parsed.settings.external_tools, tool) ?? { agents: [] };
    return canonicalJson(rest);
  };
  return [
    ...listChange(
      about,
      old,
      now,
      (tool, isNew) =>
        `Agent '${name}' ${isNew ? 'can now' : 'can no longer'} call the tool '${tool}', whose result a person gives.`,
    ),
    ...now.flatMap((tool): Found[] => {
      if (!old.includes(tool) || textOf(before, tool) === textOf(after, tool)) return [];
      const sentence = `The description or the arguments of the tool '${tool}', whose result a person gives, are different. Agent '${name}' can call it.`;
      return [{ ...about(tool), weight: 'same-but-different', sentence }];
    }),
  ];
}

/** An inactive group hides its tools, so a group that is removed or becomes active gives tools. */
function groupChanges({ before, after }: Sides, { name, isKept }: AgentPair): Found[] {
  if (!isKept) return [];
  const [old, now] = [before, after].map(({ parsed }) => own(parsed.settings.tool_groups, name));
  const about = (group?: string) => ({
    kind: 'tool' as const,
    subject: { agent: name, field: `tool_groups.${name}` },
    at: { settings: ['tool_groups', name, ...(group === undefined ? [] : ['groups', group])] },
  });
  // A tool that is in an active group too is offered.
  const hidden = (groups: typeof now) => {
    const all = Object.entries(groups?.groups ?? {});
    const shown = all.flatMap(([, { active, agents, tools }]) => (active ? [...agents, ...tools] : []));
    return all.flatMap(([group, { active, agents, tools }]) =>
      active
        ? []
        : [...agents, ...tools]
            .filter((tool) => !shown.some((pattern) => globCovers(pattern, tool, true)))
            .map((tool) => JSON.stringify([group, tool])),
    );
  };
  const isHiddenToo = (entry: string, others: readonly string[]) =>
    others.some((other) => other !== entry && globCovers(pairIn(other)[1], pairIn(entry)[1], true));
  const [all, left] = [hidden(old), hidden(now)];
  const was = all.filter((entry) => left.includes(entry) || !isHiddenToo(entry, left));
  const is = left.filter((entry) => all.includes(entry) || !isHiddenToo(entry, all));
  const opens = (groups: typeof now) => groups?.activation === true;
  return [
    ...switchChange(about(), opens(old), opens(now), {
      on: `Agent '${name}' may now activate its tool groups.`,
      off: `Agent '${name}' may no longer activate its tool groups.`,
    }),
    ...listChange(
      (entry) => about(pairIn(entry)[0]),
      was,
      is,
      (entry, isNew) => {
        const [group, tool] = pairIn(entry);
        return `The tool group '${group}' ${isNew ? 'now hides' : 'no longer hides'} '${tool}' from agent '${name}'.`;
      },
      'less',
    ),
  ];
}

function pairIn(entry: string): readonly [string, string] {
  const [group, tool]: unknown[] = JSON.parse(entry);
  return [String(group), String(tool)];
}

function skillChanges({ before, after }: Sides, { name, before: old, after: now }: AgentPair): Found[] {
  const names = (side: Side, card: AgentCard) => skillsOf(card, side.folder).skills.map((skill) => skill.name);
  return listChange(
    { kind: 'skill', subject: { agent: name }, at: { agent: name, path: ['skills'] } },
    names(before, old),
    names(after, now),
    (skill, isNew) => `Agent '${name}' ${isNew ? 'can now' : 'can no longer'} read the skill '${skill}'.`,
  );
}
