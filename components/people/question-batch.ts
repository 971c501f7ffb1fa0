import { canonicalJson } from '@/lib/base/canonical-json';
import { isRecord, type Json } from '@/lib/base/json';
import type { Decision } from '@/lib/base/pending';
import type { PendingDetail, PendingInfo } from '@/lib/base/pending-info';

/** At most so many questions are answered together. */
export const mostInBatch = 200;

/** True if a question may join those that are selected: it waits, and is of the same kind, tool and project. */
export function joinsBatch(selected: readonly PendingInfo[], item: PendingInfo): boolean {
  const [first] = selected;
  if (item.status !== 'open') return false;
  if (first === undefined) return true;
  return first.kind === item.kind && first.tool === item.tool && first.project === item.project;
}

export interface Batch {
  /** Those that are answered together: the open ones with the shape of the first. */
  readonly items: readonly PendingDetail[];
  /** How many of the others are not open any more, and how many have another schema or other arguments. */
  readonly ended: number;
  readonly different: number;
  /** What may be decided about all of them without a form. */
  readonly decisions: readonly Decision[];
  /** What is equal in all, by name. */
  readonly equal: readonly (readonly [string, string])[];
  /** The names of what differs. */
  readonly columns: readonly string[];
  /** For each item the values of the columns. */
  readonly rows: readonly (readonly string[])[];
}

/** Puts questions of one tool side by side: what is equal once, what differs in columns. */
export function batchOf(details: readonly PendingDetail[]): Batch {
  const open = details.filter(({ status }) => status === 'open');
  const [first] = open;
  const items = first === undefined ? [] : open.filter((item) => shapeOf(item) === shapeOf(first));
  const values = items.map(valuesOf);
  const names = [...new Set(values.flatMap((each) => Object.keys(each)))];
  const isEqual = (name: string) => values.every((each) => each[name] === values[0]?.[name]);
  const columns = names.filter((name) => !isEqual(name));
  return {
    items,
    ended: details.length - open.length,
    different: open.length - items.length,
    // Consent to open an address is given where the address is shown and opened.
    decisions: (['approve', 'deny'] as const).filter((each) =>
      items.every(
        ({ decisions, question }) =>
          decisions.includes(each) && (each === 'deny' || question.server?.url === undefined),
      ),
    ),
    equal: names.filter(isEqual).map((name) => [name, values[0]?.[name] ?? '']),
    columns,
    rows: values.map((each) => columns.map((name) => each[name] ?? '')),
  };
}

/** Questions are alike if they are of the same tool with the same schema, and name the same arguments. */
function shapeOf({ question }: PendingDetail): string {
  const { what, tool, arguments: args } = question;
  const names = isRecord(args) ? Object.keys(args).toSorted() : [typeof args];
  return canonicalJson([what, tool?.name ?? null, tool?.serverName ?? null, tool?.schemaHash ?? null, names]);
}

function valuesOf({ path, run, question }: PendingDetail): Readonly<Record<string, string>> {
  const { arguments: args } = question;
  const given: readonly (readonly [string, Json])[] =
    args === undefined ? [] : isRecord(args) ? Object.entries(args) : [['arguments', args]];
  return {
    Agent: path.split('/').join(' → '),
    Run: run.slice(0, 8),
    ...Object.fromEntries(given.map(([name, value]) => [name, textOf(value)])),
  };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
