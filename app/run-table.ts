import { type RunInfo, runDuration } from '@/lib/client/run-info';
import { costOfRun } from '@/lib/trace/cost';
import { knownCost } from '@/lib/trace/figures';

const columns: readonly (readonly [name: string, value: (run: RunInfo) => string | number | undefined])[] = [
  ['id', (run) => run.id],
  ['status', (run) => run.status],
  ['agent', (run) => run.entryAgent],
  ['message', (run) => run.message],
  ['error', (run) => run.error?.message],
  ['project', (run) => run.projectName],
  ['project_id', (run) => run.projectId],
  ['correlation_id', (run) => run.correlationId],
  ['source', (run) => run.source],
  ['created_at', (run) => new Date(run.createdAt).toISOString()],
  ['started_at', (run) => timeOf(run.startedAt)],
  ['finished_at', (run) => timeOf(run.finishedAt)],
  ['duration_ms', (run) => (run.finishedAt === undefined ? undefined : (runDuration(run, 0) ?? 0) / 1_000)],
  ['input_tokens', (run) => run.usage.inputTokens],
  ['output_tokens', (run) => run.usage.outputTokens],
  ['model_calls', (run) => run.usage.modelCalls],
  ['cost_usd', costOf],
  ['tree_hash', (run) => run.treeHash],
  ['revision', (run) => run.revision],
  ['label', (run) => run.label],
  ['draft', (run) => run.draft],
  ['again_of', (run) => run.again?.of],
  ['again_kind', (run) => run.again?.kind],
  ['started_by', (run) => run.startedBy],
  ['trigger_id', (run) => run.trigger?.id],
  ['score', (run) => run.score?.mean],
  ['scores', (run) => run.score?.count],
  ['errors', (run) => run.errors],
  ['user', (run) => run.user],
  ['tags', (run) => run.tags?.join(', ')],
  ['metadata', (run) => run.metadata && JSON.stringify(run.metadata)],
];

/** The first line of a table of runs as CSV (RFC 4180). */
export const csvHead = `${columns.map(([name]) => name).join(',')}\r\n`;

/** Writes a run as a line of CSV. */
export function csvRow(run: RunInfo): string {
  return csvLine(columns.map(([, read]) => read(run)));
}

export type CsvValue = string | number | undefined;

/** Writes values as a line of CSV. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/** A spreadsheet would run a text that begins like a formula, so that such a text gets an apostrophe (OWASP, CSV injection). */
function csvCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function timeOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** The cost as far as prices are known; nothing if no price is. */
function costOf({ modelUsage, scripted }: RunInfo): number | undefined {
  return modelUsage === undefined ? undefined : knownCost(costOfRun({ scripted, modelUsage }));
}
