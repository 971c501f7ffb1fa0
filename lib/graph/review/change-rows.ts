import type { HookStep } from '@/lib/graph/changes/hook-steps';
import type { AgentDiff, FieldChange, PartDiff, SemanticDiff } from '@/lib/graph/changes/semantic-diff';
import type { ReviewAnchor } from './anchor';
import { type Compared, comparedPart, type PartIndex } from './compared-part';

/** One row of what changes part by part. */
export interface ChangeRow extends Compared {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved' | 'renamed' | 'kept';
  readonly words: string;
  /** Fields with their values before and after, a line each. */
  readonly details: readonly ChangeDetail[];
}

export interface ChangeDetail extends Compared {
  readonly words: string;
}

export interface ChangeGroup {
  readonly title: string;
  readonly rows: readonly ChangeRow[];
}

/** Lists a comparison as rows: agents, delegations, each chain of hooks step by step, servers and settings. */
export function changeGroups(semantic: SemanticDiff, index: PartIndex): readonly ChangeGroup[] {
  const { chains, servers, settings, config } = semantic;
  const groups: readonly ChangeGroup[] = [
    { title: 'Agents', rows: semantic.agents.map((agent) => agentRow(agent, index)) },
    {
      title: 'Delegations',
      rows: semantic.delegations.map(({ parent, child, change, fields }) => ({
        key: `${parent} ${child}`,
        change,
        words: `${parent} → ${child}`,
        details: plainDetails(fields),
        ...comparedPart({ kind: 'edge', from: parent, to: child }, index),
      })),
    },
    ...chains.map(({ agent, steps }) => ({
      title: agent === undefined ? 'Hooks of every agent' : `Hooks of ${agent}`,
      rows: steps.map((step, at) => hookRow(agent, step, at, index)),
    })),
    { title: 'Servers', rows: servers.map((server) => serverRow(server, index)) },
    { title: 'callboard.yaml', rows: settings.map(fieldRow) },
    { title: 'Configuration', rows: config.map(fieldRow) },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function agentRow({ name, from, change, fields, instruction }: AgentDiff, index: PartIndex): ChangeRow {
  const about = (field: string) => comparedPart(fieldOf(name, field), index);
  const told = fields.map((field): ChangeDetail => ({ words: fieldWords(field), ...about(field.field) }));
  const counted =
    instruction === undefined
      ? []
      : [
          {
            words: `instruction: ${lineWords(instruction)}`,
            ...about('instruction'),
          },
        ];
  return {
    key: name,
    change,
    words: from === undefined ? name : `${name}, before ${from}`,
    details: [...told, ...counted],
    ...comparedPart({ kind: 'agent', agent: name }, index),
  };
}

/** Returns the field of a card as it is written there: `request_params` of `requestParams.temperature`. */
export function fieldOf(agent: string, path: string): ReviewAnchor {
  const [first = path] = path.split('.');
  return { kind: 'field', agent, field: first.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) };
}

/** Says if a hook was switched off or on, or is off. */
export function switchWords({ before, after }: Pick<HookStep, 'before' | 'after'>): string[] {
  if (before !== undefined && after !== undefined && before.off !== after.off)
    return [after.off ? 'switched off' : 'on again'];
  return (after ?? before)?.off === true ? ['off'] : [];
}

function hookRow(agent: string | undefined, step: HookStep, at: number, index: PartIndex): ChangeRow {
  const { change, before, after, past } = step;
  const entry = after ?? before;
  const spec = entry?.spec ?? '';
  const part: ReviewAnchor | undefined = agent === undefined ? undefined : { kind: 'hook', agent, hook: spec };
  return {
    key: `${at}`,
    change,
    words: spec,
    details: [
      plain(`runs ${entry?.phase === 'around' ? 'around calls' : `at ${entry?.phase}`}`),
      ...(past === undefined ? [] : [plain(`moved past ${past.spec}`)]),
      ...switchWords(step).map(plain),
    ],
    ...comparedPart(part, index),
  };
}

function serverRow({ name, change, fields }: PartDiff<{ readonly name: string }>, index: PartIndex): ChangeRow {
  const part = comparedPart({ kind: 'server', server: name }, index);
  return { key: name, change, words: name, details: plainDetails(fields), ...part };
}

function fieldRow(field: FieldChange): ChangeRow {
  const { before, after } = field;
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return { key: field.field, change, ...plain(field.field), details: [plain(valuesOf(field))] };
}

function plainDetails(fields: readonly FieldChange[]): ChangeDetail[] {
  return fields.map((field) => plain(fieldWords(field)));
}

function plain(words: string): ChangeDetail {
  return { words, part: undefined, anchor: undefined };
}

function fieldWords(field: FieldChange): string {
  return `${field.field}: ${valuesOf(field)}`;
}

function valuesOf({ before, after }: FieldChange): string {
  return `${shown(before)} → ${shown(after)}`;
}

const longest = 200;

function shown(value: FieldChange['before']): string {
  const text = value === undefined ? 'not set' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function lineWords({ added, removed }: { readonly added: number; readonly removed: number }): string {
  const words = [
    ...(added > 0 ? [`${lines(added)} added`] : []),
    ...(removed > 0 ? [`${lines(removed)} removed`] : []),
  ].join(', ');
  return words === '' ? 'lines in another order' : words;
}

function lines(count: number): string {
  return count === 1 ? 'one line' : `${count} lines`;
}
