import { z } from 'zod';
import { openStore, type Store } from '@/lib/store/database';

export interface StatementCost {
  readonly sql: string;
  /** The number of rows that its scans read, including rows that were filtered out. */
  readonly rowsRead: number;
  /** The tables that were read completely. */
  readonly wholeTables: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number | undefined;
  readonly 'Rows Removed by Index Recheck'?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  'Rows Removed by Index Recheck': z.number().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});
const plans = z.array(z.tuple([z.object({ Plan: planNode })]));
const recorded = z.object({ text: z.string(), values: z.array(z.unknown()).optional() });

/**
 * Returns the costs of the queries of `work`, from the plans that Postgres executes. `work` must only read, because queries
 * are executed twice.
 */
export async function costsOf(
  url: string,
  work: (store: Store) => Promise<unknown>,
): Promise<readonly StatementCost[]> {
  const statements: z.infer<typeof recorded>[] = [];
  const store = openStore(url);
  store.pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = ((first: unknown, ...rest: readonly unknown[]) => {
      statements.push(recorded.parse(typeof first === 'string' ? { text: first, values: rest[0] ?? [] } : first));
      return Reflect.apply(query, client, [first, ...rest]);
    }) as typeof client.query;
  });
  try {
    await work(store);
    return await explain(store, [...statements]);
  } finally {
    await store.close();
  }
}

async function explain(store: Store, statements: readonly z.infer<typeof recorded>[]): Promise<StatementCost[]> {
  const costs: StatementCost[] = [];
  for (const { text, values } of statements) {
    const { rows } = await store.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const [plan] = plans.parse(rows.map((row) => row['QUERY PLAN']));
    const scans = plan === undefined ? [] : nodesOf(plan[0].Plan).filter((node) => node['Relation Name'] !== undefined);
    costs.push({
      sql: text.replace(/\s+/g, ' ').trim(),
      rowsRead: scans.reduce((sum, scan) => sum + rowsOf(scan), 0),
      wholeTables: scans.flatMap((scan) => (scan['Node Type'] === 'Seq Scan' ? (scan['Relation Name'] ?? []) : [])),
    });
  }
  return costs;
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(scan: PlanNode): number {
  const filtered = (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
  return Math.round((scan['Actual Rows'] + filtered) * scan['Actual Loops']);
}
