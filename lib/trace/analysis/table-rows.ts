import { addUsage, noUsage, tokens, type Usage } from '@/lib/runtime/record/messages';
import { addLaneCost, type Cost, costOfModels, noCost } from '@/lib/trace/cost';
import { spanName, type Trace } from '@/lib/trace/trace';
import { usageByInstance, usageByModelName, usageByTemplate } from '@/lib/trace/usage';
import { type Total, type TotalKind, type TotalTable, toolKey } from './totals';

/** A row of the table of durations, tokens, cost and errors. */
export interface TableRow extends Total {
  /** The row's place in the totals, which the table may list in another order. */
  readonly index: number;
  /** `undefined` for rows that use no tokens of their own, such as hooks. A delegation has those of its children. */
  readonly usage: Usage | undefined;
  readonly cost: Cost | undefined;
}

export const tableColumns = [
  'name',
  'count',
  'own',
  'total',
  'p50',
  'p95',
  'max',
  'input',
  'output',
  'cost',
  'failed',
] as const;
export type TableColumn = (typeof tableColumns)[number];

/** Adds tokens and costs to totals. */
export function tableRows(trace: Trace, kind: TotalKind, table: TotalTable): readonly TableRow[] {
  const used = usedBy(trace, kind);
  return table.rows.map((row, index) => ({ ...row, index, usage: undefined, cost: undefined, ...used.get(row.key) }));
}

interface Used {
  readonly usage: Usage;
  readonly cost: Cost;
}

function usedBy(trace: Trace, kind: TotalKind): ReadonlyMap<string, Used> {
  switch (kind) {
    case 'agent':
      return new Map(usageByTemplate(trace).map(({ key, usage, cost }) => [key, { usage, cost }]));
    case 'instance': {
      const all = trace.lanes.map(({ index }) => index);
      return new Map(usageByInstance(trace, all).map(({ key, usage, cost }) => [key, { usage, cost }]));
    }
    case 'model':
      return new Map(
        Object.entries(usageByModelName(trace)).map(([name, { usage, priced }]) => [
          name,
          { usage, cost: costOfModels({ [priced]: usage }) },
        ]),
      );
    case 'tool':
      return usageByDelegation(trace);
    case 'hook':
      return new Map();
  }
}

/** Sums what the children of each delegation used, with all below them. */
function usageByDelegation(trace: Trace): ReadonlyMap<string, Used> {
  const below = trace.lanes.map(
    (lane): Used => ({ usage: lane.usage, cost: addLaneCost(noCost, lane, trace.run.askedAs) }),
  );
  // A child's lane comes after its parent's.
  for (let i = below.length - 1; i > 0; i--) {
    const parent = trace.lanes[i]?.parent;
    const [own, above] = [below[i], below[parent ?? -1]];
    if (parent !== undefined && parent < i && own !== undefined && above !== undefined) below[parent] = sum(above, own);
  }
  const byTool = new Map<string, Used>();
  for (const [i, { parentSpan }] of trace.lanes.entries()) {
    if (parentSpan === undefined) continue;
    const key = toolKey(spanName(trace, parentSpan), 'agent');
    byTool.set(
      key,
      sum(byTool.get(key) ?? { usage: noUsage, cost: noCost }, below[i] ?? { usage: noUsage, cost: noCost }),
    );
  }
  return byTool;
}

function sum(a: Used, b: Used): Used {
  const unpriced = [...new Set([...a.cost.unpriced, ...b.cost.unpriced])];
  return { usage: addUsage(a.usage, b.usage), cost: { usd: a.cost.usd + b.cost.usd, unpriced } };
}

/** Sorts rows by a column. Equal rows keep their order. Rows without a value come last. */
export function sortedRows(
  rows: readonly TableRow[],
  column: TableColumn,
  direction: 'ascending' | 'descending',
): readonly TableRow[] {
  const sign = direction === 'ascending' ? 1 : -1;
  if (column === 'name') return rows.toSorted((a, b) => sign * a.name.localeCompare(b.name, 'en', { numeric: true }));
  return rows.toSorted((a, b) => {
    const [x, y] = [valueIn(a, column), valueIn(b, column)];
    if (x === undefined || y === undefined) return (x === undefined ? 1 : 0) - (y === undefined ? 1 : 0);
    return sign * (x - y);
  });
}

function valueIn(row: TableRow, column: Exclude<TableColumn, 'name'>): number | undefined {
  switch (column) {
    case 'input':
      return row.usage?.inputTokens;
    case 'output':
      return row.usage?.outputTokens;
    case 'cost':
      return row.usage === undefined || tokens(row.usage) === 0 ? undefined : row.cost?.usd;
    case 'count':
    case 'own':
    case 'total':
    case 'p50':
    case 'p95':
    case 'max':
    case 'failed':
      return row[column];
  }
}
