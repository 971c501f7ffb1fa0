import type { HookStep } from '@/lib/graph/changes/hook-steps';
import type { FieldChange, PartDiff, SemanticDiff } from '@/lib/graph/changes/semantic-diff';
import type { ReviewAnchor } from './anchor';

/** One row of what changes part by part. `anchor` is what a comment at the row is about; what is gone has none. */
export interface ChangeRow {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved' | 'renamed' | 'kept';
  readonly words: string;
  /** Fields with their values before and after, a line each. */
  readonly details: readonly string[];
  readonly anchor: ReviewAnchor | undefined;
}

export interface ChangeGroup {
  readonly title: string;
  readonly rows: readonly ChangeRow[];
}

/** Lists a comparison as rows: agents, delegations, each chain of hooks step by step, servers and settings. */
export function changeGroups({
  agents,
  delegations,
  chains,
  servers,
  settings,
  config,
}: SemanticDiff): readonly ChangeGroup[] {
  const groups: readonly ChangeGroup[] = [
    {
      title: 'Agents',
      rows: agents.map(({ name, from, change, fields, instruction }) => ({
        key: name,
        change,
        words: from === undefined ? name : `${name}, before ${from}`,
        details: [
          ...details(fields),
          ...(instruction === undefined
            ? []
            : [`instruction: ${lines(instruction.added)} added, ${lines(instruction.removed)} removed`]),
        ],
        anchor: change === 'removed' ? undefined : { kind: 'agent', agent: name },
      })),
    },
    {
      title: 'Delegations',
      rows: delegations.map(({ parent, child, change, fields }) => ({
        key: `${parent} ${child}`,
        change,
        words: `${parent} → ${child}`,
        details: details(fields),
        anchor: change === 'removed' ? undefined : { kind: 'edge', from: parent, to: child },
      })),
    },
    ...chains.map(({ agent, steps }) => ({
      title: agent === undefined ? 'Hooks of every agent' : `Hooks of ${agent}`,
      rows: steps.map((step, index) => hookRow(agent, step, index)),
    })),
    { title: 'Servers', rows: servers.map(partRow) },
    { title: 'callboard.yaml', rows: settings.map(fieldRow) },
    { title: 'Configuration', rows: config.map(fieldRow) },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

function hookRow(agent: string | undefined, { change, before, after, past }: HookStep, index: number): ChangeRow {
  const entry = after ?? before;
  const spec = entry?.spec ?? '';
  return {
    key: `${index}`,
    change,
    words: spec,
    details: [
      `runs ${entry?.phase === 'around' ? 'around calls' : `at ${entry?.phase}`}`,
      ...(past === undefined ? [] : [`moved past ${past.spec}`]),
    ],
    anchor: agent === undefined || after === undefined ? undefined : { kind: 'hook', agent, hook: spec },
  };
}

function partRow({ name, change, fields }: PartDiff<{ readonly name: string }>): ChangeRow {
  return { key: name, change, words: name, details: details(fields), anchor: undefined };
}

function fieldRow(field: FieldChange): ChangeRow {
  const { before, after } = field;
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return { key: field.field, change, words: field.field, details: [valuesOf(field)], anchor: undefined };
}

function details(fields: readonly FieldChange[]): string[] {
  return fields.map((field) => `${field.field}: ${valuesOf(field)}`);
}

function valuesOf({ before, after }: FieldChange): string {
  return `${shown(before)} → ${shown(after)}`;
}

const longest = 200;

function shown(value: FieldChange['before']): string {
  const text = value === undefined ? 'not set' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function lines(count: number): string {
  return count === 1 ? 'one line' : `${count} lines`;
}
