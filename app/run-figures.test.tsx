import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RunColumn } from '@/components/history/run-columns';
import { RunList } from '@/components/history/run-list';
import { LiveSaid } from '@/components/run/live-said';
import { RunFacts } from '@/components/run/run-facts';
import type { LiveTrace } from '@/components/run/use-run';
import { EventCache } from '@/lib/client/event-cache';
import { type RunInfo, runDuration } from '@/lib/client/run-info';
import { chromeTrace } from '@/lib/interop/out/chrome-trace';
import { spanCsv } from '@/lib/interop/out/span-csv';
import type { RunEvent } from '@/lib/runtime/record/events';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import { runOf } from '@/lib/testing/compared-run';
import { type PlainFigures, type PlainRow, plainFigures } from '@/lib/testing/plain-figures';
import { logOfRun, randomRuns } from '@/lib/testing/random-runs';
import { fold } from '@/lib/testing/trace-log';
import { tries } from '@/lib/testing/tries';
import { analyse } from '@/lib/trace/analysis/analyse';
import { runColumns } from '@/lib/trace/analysis/run-columns';
import { type TableRow, tableRows } from '@/lib/trace/analysis/table-rows';
import type { TotalKind } from '@/lib/trace/analysis/totals';
import { atOnceColumns, atOnceSteps } from '@/lib/trace/at-once';
import { instanceRows } from '@/lib/trace/compare/compare-figures';
import { compareRuns } from '@/lib/trace/compare/compare-runs';
import { formatCost, usageByModel } from '@/lib/trace/cost';
import { countErrors, type Figures, runFigures } from '@/lib/trace/figures';
import { OtlpTrace } from '@/lib/trace/otel';
import { waitedForPeople } from '@/lib/trace/questions';
import type { PartKind } from '@/lib/trace/run-parts';
import { summariseRun } from '@/lib/trace/run-summary';
import { formatCount, formatDuration } from '@/lib/trace/wording';
import { csvHead, csvRow } from './run-table';

const shown: ReadonlySet<RunColumn> = new Set(['project', 'duration', 'tokens', 'cost']);
const figuresOf = (events: readonly RunEvent[]) => ({ events, trace: fold(events), plain: plainFigures(events) });
type Counted = ReturnType<typeof figuresOf>;

/** Each place compares all its figures on as many random runs as one property has. */
const runsOfAll = 200;
const runs = async (check: (run: Counted) => void) => {
  await fc.assert(
    fc.asyncProperty(randomRuns, async (random) => check(figuresOf(await logOfRun(random)))),
    { numRuns: tries(runsOfAll), timeout: 20_000, endOnFailure: true },
  );
};

test('every figure of every place is what a plain count of the events gives', async () => {
  const seen = { errors: 0, crashes: 0, questions: 0, waits: 0 };
  await runs((run) => {
    checkHeader(run);
    checkInsight(run);
    checkComparison(run);
    checkList(run);
    checkExports(run);
    checkDashboard(run);
    checkRecord(run);
    seen.errors += run.plain.whole.errors;
    seen.crashes += run.events.filter(({ kind }) => kind === 'run.resumed').length;
    seen.questions += run.events.filter(({ kind }) => kind === 'person.asked').length;
    seen.waits += run.plain.permitMs > 0 ? 1 : 0;
  });
  // The runs have what the figures are about. One in eight has a question, so a quarter of them may have none.
  const missing = Object.entries(seen).filter(([, count]) => count === 0);
  if (tries(runsOfAll) === runsOfAll) expect(missing).toEqual([]);
}, 240_000);

const text = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ');
const near = (found: number, wanted: number, within = 0.02) =>
  expect(Math.abs(found - wanted)).toBeLessThanOrEqual(within);
const costWord = ({ usd, isPriced }: PlainFigures['whole']) =>
  formatCost({ usd: Number(usd.toFixed(10)), unpriced: isPriced ? [] : ['nobody.knows'] });

function checkHeader({ trace, plain }: Counted): void {
  const run: LiveTrace = {
    ...{ phase: 'ended', trace, version: 1, error: undefined, replaced: 0, now: () => trace.lastAt },
    ...{ cache: new EventCache(async () => []), previews: new EventCache(async () => []), said: new LiveSaid() },
  };
  const markup = renderToStaticMarkup(<RunFacts run={run} status={trace.run.status ?? 'running'} />);
  const { input, output, modelCalls } = plain.whole;
  expect(text(markup)).toContain(`Duration ${formatDuration(Math.round(plain.runMs * 1_000))} `);
  expect(text(markup)).toContain(` ${formatCount(input + output)} tokens`);
  expect(markup).toContain(
    `${input.toLocaleString('en-US')} in, ${output.toLocaleString('en-US')} out, ${modelCalls} model calls`,
  );
  if (input + output > 0) expect(text(markup)).toContain(`Cost ${costWord(plain.whole)} `);
  near(waitedForPeople(trace, trace.lastAt) / 1_000, plain.peopleMs);
  expect(countErrors(trace)).toBe(plain.whole.errors);
  for (const { path, errors } of trace.lanes) expect([path, errors]).toEqual([path, plain.instances.get(path)?.errors]);
}

/** What dashboards sum over runs: instances, calls without delegations, failures, tokens and cost of each name. */
function checkDashboard({ trace, plain }: Counted): void {
  const { parts, errors } = summariseRun(trace);
  expect(errors).toBe(plain.whole.errors);
  const summed = (kind: PartKind) => {
    const sums = new Map<string, { calls: number; failed: number; tokens: number }>();
    for (const part of parts.filter((each) => each.kind === kind)) {
      const sum = sums.get(part.name) ?? { calls: 0, failed: 0, tokens: 0 };
      const { calls, failed, tokens } = part;
      sums.set(part.name, { calls: sum.calls + calls, failed: sum.failed + failed, tokens: sum.tokens + tokens });
    }
    return Object.fromEntries(sums);
  };
  const plainOf = (rows: Counted['plain']['agents'], hasTokens: boolean) => {
    const wanted = new Map<string, { calls: number; failed: number; tokens: number }>();
    for (const [key, { count, failed, input, output }] of rows) {
      const [name = '', server] = key.split('\n');
      if (count === 0 || server === 'agent') continue;
      const sum = wanted.get(name) ?? { calls: 0, failed: 0, tokens: 0 };
      const tokens = sum.tokens + (hasTokens ? input + output : 0);
      wanted.set(name, { calls: sum.calls + count, failed: sum.failed + failed, tokens });
    }
    return Object.fromEntries(wanted);
  };
  expect(summed('agent')).toEqual(plainOf(plain.agents, true));
  expect(summed('tool')).toEqual(plainOf(plain.tools, false));
  expect(summed('model')).toEqual(plainOf(plain.models, true));
  const usd = parts.filter(({ kind }) => kind === 'agent').reduce((sum, { costUsd }) => sum + costUsd, 0);
  if (plain.whole.isPriced) expect(usd).toBeCloseTo(plain.whole.usd, 8);
}

function checkInsight({ trace, plain }: Counted): void {
  const { totals, occupancy, length } = analyse(runColumns(trace, trace.lastAt));
  const rowsOf = (kind: TotalKind) => tableRows(trace, kind, totals[kind]);
  const check = (kind: TotalKind, wanted: Counted['plain']['agents'], key: (row: TableRow) => string) => {
    const rows = rowsOf(kind);
    expect(
      rows
        .filter(({ count }) => count > 0)
        .map(key)
        .sort(),
    ).toEqual(
      [...wanted]
        .filter(([, { count }]) => count > 0)
        .map(([name]) => name)
        .sort(),
    );
    for (const row of rows) {
      const plainRow = wanted.get(key(row));
      expect([kind, key(row), row.count, row.failed]).toEqual([
        kind,
        key(row),
        plainRow?.count ?? 0,
        plainRow?.failed ?? 0,
      ]);
      // A call that went on after a crash counts from its last start.
      if (kind === 'agent' || kind === 'instance') near(row.total / 1_000, plainRow?.ms ?? 0);
      if (kind === 'tool') continue;
      expect([row.usage?.inputTokens ?? 0, row.usage?.outputTokens ?? 0]).toEqual([
        plainRow?.input ?? 0,
        plainRow?.output ?? 0,
      ]);
      expect(row.usage?.modelCalls ?? 0).toBe(plainRow?.modelCalls ?? row.count);
      near(row.cost?.usd ?? 0, plainRow?.usd ?? 0, 1e-9);
    }
  };
  check('agent', plain.agents, ({ key }) => key);
  check('instance', plain.instances, ({ key }) => key);
  check('tool', plain.tools, ({ key }) => key);
  check('model', plain.models, ({ name }) => name);
  near(length / 1_000, plain.runMs);
  near(Object.values(occupancy).reduce((sum, share) => sum + share, 0) / 1_000, plain.runMs);
  const { most } = atOnceColumns(atOnceSteps(trace), { from: 0, to: length, now: length }, 1);
  expect(most).toBe(plain.atOnce);
}

function checkComparison({ trace, plain, events }: Counted): void {
  const figures = runFigures({ trace, now: trace.lastAt });
  const { whole } = plain;
  near(figures.time / 1_000, plain.runMs);
  const numbers = ({ input, output, models, tools, errors }: Figures) => [input, output, models, tools, errors];
  const wanted = (row: PlainRow) => [row.input, row.output, row.modelCalls, row.toolCalls, row.errors];
  expect(numbers(figures)).toEqual(wanted(whole));
  expect(figures.cost === undefined).toBe(!whole.isPriced);
  if (figures.cost !== undefined) near(figures.cost, whole.usd, 1e-9);
  const measured = { trace, now: trace.lastAt };
  const rows = instanceRows(measured, measured, compareRuns(runOf(events), runOf(events)));
  expect(rows).toHaveLength(plain.instances.size);
  for (const { a, laneA } of rows) {
    const row = plain.instances.get(trace.lanes[laneA ?? -1]?.path ?? '');
    if (a === undefined || row === undefined) throw new Error('A row has no instance.');
    expect(numbers(a)).toEqual(wanted(row));
    near(a.time / 1_000, row.ms);
  }
}

/** What the store keeps of a run: lists, CSV and API have their figures from it. Times there are whole milliseconds. */
function infoOf({ events, trace }: Counted): RunInfo {
  const { usage } = events.find((event) => event.kind === 'run.finished') ?? { usage: noUsage };
  return {
    ...{
      id: 'r',
      projectId: 'p',
      projectName: 'P',
      status: 'completed',
      entryAgent: 'lead',
      message: 'go',
      model: undefined,
    },
    ...{
      correlationId: 'c',
      source: 'callboard',
      scripted: false,
      createdAt: 0,
      answer: undefined,
      error: undefined,
      treeHash: 't',
    },
    startedAt: Math.round(events[0]?.at ?? 0),
    finishedAt: Math.round(events.at(-1)?.at ?? 0),
    usage,
    modelUsage: usageByModel(trace),
  };
}

function checkList(run: Counted): void {
  const { trace, plain } = run;
  const info = infoOf(run);
  const { whole } = plain;
  near((runDuration(info, 0) ?? 0) / 1_000, plain.runMs, 1);
  const group = { correlationId: 'c', runCount: 1, runs: [info] };
  const row = text(
    renderToStaticMarkup(<RunList groups={[group]} now={0} chosen={new Set()} columns={shown} onChoose={() => {}} />),
  );
  expect(row).toContain(`Tokens ${formatCount(whole.input + whole.output)} `);
  if (whole.input + whole.output > 0) expect(row).toContain(`Cost ${costWord(whole)} `);
  const cells = csvRow(info).trimEnd().split(',');
  const cell = (name: string) => cells[csvHead.trimEnd().split(',').indexOf(name)] ?? '';
  expect([cell('input_tokens'), cell('output_tokens'), cell('model_calls')].map(Number)).toEqual([
    whole.input,
    whole.output,
    whole.modelCalls,
  ]);
  near(Number(cell('duration_ms')), plain.runMs, 1);
  near(Number(cell('cost_usd')), whole.usd, 1e-9);
  const { waitedMs, peopleMs, costUsd, tokens } = summariseRun(trace);
  near(waitedMs, plain.permitMs, 0.05);
  near(peopleMs, plain.peopleMs, 0.05);
  near(costUsd ?? 0, whole.usd, 1e-9);
  expect(tokens).toBe(whole.input + whole.output);
}

function checkExports({ events, trace, plain }: Counted): void {
  const { whole, instances } = plain;
  const [head = '', ...lines] = [...spanCsv(trace)].map((line) => line.trimEnd());
  const rows = lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, i) => [head.split(',')[i] ?? '', cell])),
  );
  const sum = (kind: string, column: string, of = rows) =>
    of.filter((row) => row.kind === kind).reduce((total, row) => total + Number(row[column]), 0);
  expect([sum('model', 'input_tokens'), sum('model', 'output_tokens')]).toEqual([whole.input, whole.output]);
  for (const [path, { ms }] of instances) {
    near(
      sum(
        'instance',
        'duration_ms',
        rows.filter(({ instance }) => instance === path),
      ),
      ms,
    );
  }
  const chrome = [...chromeTrace(trace)].filter(({ ph }) => ph === 'X');
  const tokensOf = (name: string) =>
    chrome.reduce((total, { cat, args }) => total + (cat === 'model' ? Number(args?.[name] ?? 0) : 0), 0);
  expect([tokensOf('input_tokens'), tokensOf('output_tokens')]).toEqual([whole.input, whole.output]);
  near(chrome.reduce((total, { cat, dur = 0 }) => total + (cat === 'instance' ? dur : 0), 0) / 1_000, whole.ms, 0.1);
  const otlp = new OtlpTrace();
  for (const event of events) otlp.add(event);
  const spans = otlp.toJson().resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const value = (span: (typeof spans)[number], name: string) => {
    const found = span.attributes.find(({ key }) => key === name)?.value;
    return found !== undefined && 'intValue' in found ? Number(found.intValue) : 0;
  };
  const total = (name: string) => spans.reduce((all, span) => all + value(span, name), 0);
  expect([total('gen_ai.usage.input_tokens'), total('gen_ai.usage.output_tokens')]).toEqual([
    whole.input,
    whole.output,
  ]);
}

/** The totals that events themselves have, which the API hands on. */
function checkRecord({ events, plain }: Counted): void {
  const tokens = ({ input, output, modelCalls }: PlainRow) => [input, output, modelCalls];
  const told = ({ inputTokens, outputTokens, modelCalls }: Usage) => [inputTokens, outputTokens, modelCalls];
  for (const event of events) {
    if (event.kind === 'instance.ended') {
      const row = plain.instances.get(event.path);
      expect(told(event.usage)).toEqual(row && tokens(row));
      near(event.costUsd ?? 0, row?.usd ?? 0, 1e-9);
    }
    if (event.kind !== 'run.finished') continue;
    expect(told(event.usage)).toEqual(tokens(plain.whole));
    near(event.costUsd ?? 0, plain.whole.usd, 1e-9);
    for (const { agentName, usage, costUsd } of event.agents ?? []) {
      const row = plain.agents.get(agentName);
      expect([agentName, told(usage)]).toEqual([agentName, row && tokens(row)]);
      near(costUsd ?? 0, row?.usd ?? 0, 1e-9);
    }
  }
}
