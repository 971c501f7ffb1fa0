import { canonicalJson } from '@/lib/base/canonical-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { own } from '@/lib/base/own';
import type { Card } from '@/lib/cards/card';
import type { ServerConfig } from '@/lib/cards/config';
import { delegationOptions } from '@/lib/cards/delegation-settings';
import { membersOf } from '@/lib/cards/read/members';
import { diffGraphs, type GraphDiff } from '@/lib/graph/diff';
import { projectGraph } from '@/lib/graph/project';
import { type Aligned, alignBefore, type Renames } from './align';
import { type HookStep, hookSteps, ownChain, runChain } from './hook-steps';
import { agentPairs, both, type ReadProject, type Sides, writtenSide } from './project-side';
import { lineCounts } from './similar';

/** The differences of two folders by their parts, and not by lines of text. What was renamed is one part. */
export interface SemanticDiff {
  readonly renames: Renames;
  readonly agents: readonly AgentDiff[];
  readonly delegations: readonly PartDiff<{ readonly parent: string; readonly child: string }>[];
  /** The chains in which something changed. `agent` is `undefined` for the hooks of every agent. */
  readonly chains: readonly { readonly agent: string | undefined; readonly steps: readonly HookStep[] }[];
  readonly servers: readonly PartDiff<{ readonly name: string }>[];
  /** Keys of callboard.yaml that no agent, delegation or hook above has. The layout of the canvas is left out. */
  readonly settings: readonly FieldChange[];
  /** Keys of the config besides servers. */
  readonly config: readonly FieldChange[];
  /** The two graphs, drawn with the names of the later one. */
  readonly graph: GraphDiff;
}

export interface FieldChange {
  /** Such as `tools.files` or `limits.max_depth`. */
  readonly field: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export type PartDiff<Named> = Named & {
  readonly change: 'added' | 'removed' | 'changed';
  readonly fields: readonly FieldChange[];
};

export interface AgentDiff {
  readonly change: 'added' | 'removed' | 'changed' | 'renamed';
  readonly name: string;
  /** The name before, if it was another one. */
  readonly from: string | undefined;
  readonly file: string;
  readonly fields: readonly FieldChange[];
  /** Lines of the instruction that came and went. */
  readonly instruction: { readonly added: number; readonly removed: number } | undefined;
}

/** Compares two folders by agents, delegations, hooks, servers and settings. */
export function semanticDiff(before: ReadProject, after: ReadProject): SemanticDiff {
  return diffBetween(alignBefore(before, after), after);
}

/** The same for folders whose renames are known. */
export function diffBetween(aligned: Aligned, after: ReadProject): SemanticDiff {
  const { files, agents, servers, functions } = aligned;
  // Values are shown here, so those of the secrets file are left out.
  const sides: Sides = { before: writtenSide(aligned.before), after: writtenSide(after) };
  return {
    renames: { files, agents, servers, functions },
    agents: agentDiffs(sides, aligned),
    delegations: delegationDiffs(sides),
    chains: chainDiffs(sides, aligned),
    servers: serverDiffs(sides),
    settings: fieldChanges(settingsOf(sides.before.parsed.settings), settingsOf(sides.after.parsed.settings)),
    config: fieldChanges(configOf(sides.before.parsed.config.raw), configOf(sides.after.parsed.config.raw)),
    graph: diffGraphs(projectGraph(sides.before.parsed), projectGraph(sides.after.parsed)),
  };
}

function agentDiffs(sides: Sides, { agents }: Renames): AgentDiff[] {
  const oldNames = new Map([...agents].map(([from, to]) => [to, from]));
  return agentPairs(sides).flatMap(({ name, card: { before, after } }): AgentDiff[] => {
    const from = oldNames.get(name);
    const card = after ?? before;
    if (card === undefined) return [];
    const texts = [before, after].map((one) => one?.instruction ?? '');
    const [was = '', is = ''] = texts;
    const fields = before === undefined || after === undefined ? [] : fieldChanges(fieldsOf(before), fieldsOf(after));
    const instruction = was === is ? undefined : lineCounts(was, is);
    if (before !== undefined && after !== undefined && from === undefined && fields.length === 0 && !instruction)
      return [];
    const change =
      before === undefined ? 'added' : after === undefined ? 'removed' : from === undefined ? 'changed' : 'renamed';
    return [{ change, name, from, file: card.file, fields, instruction }];
  });
}

/** Hooks and members have lists of their own, and the file and the instruction are told beside the fields. */
const ownLists = new Set([
  'file',
  'name',
  'instruction',
  'toolHooks',
  'lifecycleHooks',
  'agents',
  'sequence',
  'fanOut',
  'fanIn',
  'generator',
  'evaluator',
  'worker',
]);
const secretFields = new Set(['apiKey']);

function fieldsOf(card: Card): JsonObject {
  return jsonOf(Object.fromEntries(Object.entries(card).filter(([key]) => !ownLists.has(key))));
}

function delegationDiffs({ before, after }: Sides): PartDiff<{ readonly parent: string; readonly child: string }>[] {
  return both(before.cards.keys(), after.cards.keys()).flatMap((parent) => {
    const [old, now] = [before, after].map(({ cards }) => {
      const card = cards.get(parent);
      return new Set(card === undefined ? [] : membersOf(card).filter((name) => name !== ''));
    });
    return both(old ?? [], now ?? []).flatMap(
      (child): PartDiff<{ readonly parent: string; readonly child: string }>[] => {
        if (!old?.has(child)) return [{ parent, child, change: 'added', fields: [] }];
        if (!now?.has(child)) return [{ parent, child, change: 'removed', fields: [] }];
        const [was, is] = [before, after].map(({ parsed }) =>
          jsonOf(delegationOptions(parsed.settings, parent, child)),
        );
        const fields = fieldChanges(was ?? {}, is ?? {});
        return fields.length === 0 ? [] : [{ parent, child, change: 'changed', fields }];
      },
    );
  });
}

function chainDiffs(sides: Sides, renames: Renames): SemanticDiff['chains'] {
  const { before, after } = sides;
  const all = [
    { agent: undefined, steps: hookSteps(runChain(before.parsed), runChain(after.parsed), renames) },
    ...agentPairs(sides).map(({ name, card }) => ({
      agent: name,
      steps: hookSteps(ownChain(card.before, before.parsed), ownChain(card.after, after.parsed), renames),
    })),
  ];
  return all.filter(({ steps }) => steps.some(({ change }) => change !== 'kept'));
}

function serverDiffs({ before, after }: Sides): PartDiff<{ readonly name: string }>[] {
  const [old, now] = [before.parsed.config.servers, after.parsed.config.servers];
  return both(Object.keys(old), Object.keys(now)).flatMap((name): PartDiff<{ readonly name: string }>[] => {
    const [was, is] = [own(old, name), own(now, name)];
    if (was === undefined || is === undefined)
      return [{ name, change: was === undefined ? 'added' : 'removed', fields: [] }];
    const fields = fieldChanges(serverFields(was), serverFields(is));
    return fields.length === 0 ? [] : [{ name, change: 'changed', fields }];
  });
}

function serverFields({ name: _, raw, ...fields }: ServerConfig): JsonObject {
  return jsonOf({ ...fields, auth: raw.auth });
}

function settingsOf(settings: object): JsonObject {
  const told = ['canvas', 'delegations', 'run_hooks', 'agent_hooks', 'hooks', 'hooks_off'];
  return jsonOf(Object.fromEntries(Object.entries(settings).filter(([key]) => !told.includes(key))));
}

function configOf(raw: Json): JsonObject {
  if (!isRecord(raw)) return {};
  const { mcp, ...rest } = raw;
  const others = isRecord(mcp) ? Object.fromEntries(Object.entries(mcp).filter(([key]) => key !== 'servers')) : {};
  return jsonOf({ ...rest, mcp: others });
}

/** Makes JSON of a value of the model, in which `undefined` stands for what is not set. */
function jsonOf(value: object): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(json) ? json : {};
}

function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** Compares objects key by key, one level into objects. Values of headers and variables, and keys, are hidden. */
function fieldChanges(before: JsonObject, after: JsonObject, above = ''): FieldChange[] {
  return both(Object.keys(before), Object.keys(after)).flatMap((key): FieldChange[] => {
    const [old, now] = [own(before, key), own(after, key)];
    if (isSame(old, now)) return [];
    const field = `${above}${key}`;
    if (
      above.split('.').length < 3 &&
      (isJsonObject(old) || isJsonObject(now)) &&
      isObjectOrAbsent(old) &&
      isObjectOrAbsent(now)
    ) {
      return fieldChanges(old ?? {}, now ?? {}, `${field}.`);
    }
    const isHidden = secretFields.has(key) || secretPath.test(field);
    return [{ field, before: isHidden ? hidden(old) : old, after: isHidden ? hidden(now) : now }];
  });
}

const secretPath =
  /(?:^|\.)(?:env|headers|default_headers|auth)\.|(?:^|\.)(?:auth|url|base_url)$|key|token|secret|password/i;

/** Says only that there is a value. */
function hidden(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : '[hidden]';
}

function isObjectOrAbsent(value: Json | undefined): value is JsonObject | undefined {
  return value === undefined || isJsonObject(value);
}

/** The order of keys means nothing. */
function isSame(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return canonicalJson(before) === canonicalJson(after);
}
