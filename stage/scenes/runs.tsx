import { BinClient } from '@/app/runs/bin/bin-client';
import { RunsClient, type RunsClientProps } from '@/app/runs/runs-client';
import { alertsAtOnce } from '@/components/history/alerts-at-once';
import { type AlertServices, DashboardAlerts } from '@/components/history/dashboard-alerts';
import { DashboardView } from '@/components/history/dashboard-view';
import { RunGroupView } from '@/components/history/run-group-view';
import { QueryProvider } from '@/components/shell/query-provider';
import type { RunInfo } from '@/lib/client/run-info';
import type { AlertInfo } from '@/lib/trace/alert-info';
import { columnsOfRange, type Dashboard, type DashboardRange } from '@/lib/trace/dashboard';
import type { GroupRun, RunGroupTimes } from '@/lib/trace/run-group';
import type { RunState } from '@/lib/trace/run-state';
import type { RunSums } from '@/lib/trace/run-sums';
import type { Answers } from '@/stage/memory/backend';
import type { Scene, Screen } from '@/stage/scene';
import { mayAll, mayView } from './access';

const minute = 60_000;

/** A run that was started `n` minutes ago. */
function run(n: number, status: RunState, rest: Partial<RunInfo> = {}): RunInfo {
  const createdAt = Date.now() - n * minute;
  const hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled';
  return {
    ...{
      id: `run-${n}`,
      projectId: 'desk',
      projectName: 'Desk',
      status,
      entryAgent: 'lead',
      model: 'openai.gpt-5-mini',
    },
    ...{ message: `Plan the trip to London, try ${n}`, correlationId: `c${n}`, source: 'callboard', scripted: false },
    ...{ createdAt, startedAt: status === 'queued' ? undefined : createdAt + 40 },
    finishedAt: hasEnded ? createdAt + 12_340 : undefined,
    answer: status === 'completed' ? 'Two nights, by train.' : undefined,
    error: status === 'failed' ? { code: 'model_failed', message: 'The provider answered 500.' } : undefined,
    usage: { inputTokens: 1_200, outputTokens: 340, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 3 },
    modelUsage: undefined,
    treeHash: 'a'.repeat(64),
    ...rest,
  };
}

const group = (runs: readonly RunInfo[]) => ({
  correlationId: runs[0]?.correlationId ?? '',
  runCount: runs.length,
  sums: sumsOf(runs),
  runs,
});

const sumsOf = (runs: readonly Pick<RunInfo, 'status' | 'startedAt' | 'finishedAt'>[]): RunSums => {
  const ended = runs.filter(({ finishedAt }) => finishedAt !== undefined);
  return {
    ...{ runs: runs.length, ended: ended.length, failed: ended.filter(({ status }) => status === 'failed').length },
    durationMs: ended.reduce((sum, { startedAt = 0, finishedAt = 0 }) => sum + finishedAt - startedAt, 0),
    ...{ errors: 2, tokens: 1_540 * ended.length, costUsd: 0.0123 * ended.length, unpriced: 0 },
  };
};

/** `count` runs of one correlation id, one after another; the last goes on. */
const correlated = (count: number): RunGroupTimes => {
  const runs = Array.from({ length: count }, (_, n): GroupRun => {
    const createdAt = Date.now() - (count - n) * 3 * minute;
    const status = n === count - 1 ? 'running' : n % 5 === 2 ? 'failed' : 'completed';
    const took = (20 + ((n * 37) % 150)) * 1_000;
    return {
      ...{ id: `run-${n}`, projectName: 'Desk', status, agent: n % 2 === 0 ? 'lead' : 'London-Project-Manager' },
      ...{ message: `Plan the trip to London, part ${n + 1}`, createdAt, startedAt: createdAt + 9_000 },
      finishedAt: status === 'running' ? undefined : createdAt + 9_000 + took,
    };
  });
  return { correlationId: 'nightly-2026-11-29', runs: runs.slice(-1_000), sums: sumsOf(runs), isCut: false };
};

const ofGroup = (name: string, shown: RunGroupTimes, from?: string): Scene => ({
  name,
  path: '/runs/group',
  open: () => ({ screen: <RunGroupView group={shown} run={from} readAt={Date.now()} />, answers: {} }),
});

const states: readonly RunState[] = ['queued', 'running', 'suspended', 'completed', 'failed', 'cancelled'];
const each = states.map((status, n) => group([run(n + 1, status)]));
const together = group([run(20, 'completed', { correlationId: 'c' }), run(21, 'failed', { correlationId: 'c' })]);
const many = Array.from({ length: 200 }, (_, n) => group([run(n + 1, n % 7 === 0 ? 'failed' : 'completed')]));
const long = group([
  run(1, 'completed', { message: 'word '.repeat(400), projectName: 'A project with a name of many words' }),
]);

function answersOf(groups: readonly ReturnType<typeof group>[]): Answers {
  const from = Date.now() - 24 * 60 * minute;
  const columns = Array.from({ length: 24 }, (_, n) => ({
    ...{ from: from + n * 60 * minute, to: from + (n + 1) * 60 * minute },
    ...{ runs: groups.length === 0 ? 0 : n % 5, failed: n % 5 > 3 ? 1 : 0, active: 0, p50: 1_200, p95: 9_000 },
  }));
  return {
    'GET /api/v1/runs': () => ({ groups, next: null }),
    'GET /api/v1/runs/chart': () => ({ columns: groups.length === 0 ? [] : columns, isCut: false }),
  };
}

type SceneOptions = Partial<Scene> & { readonly of?: RunsClientProps['of'] };

const scene = (
  name: string,
  groups: readonly ReturnType<typeof group>[],
  { of, ...rest }: SceneOptions = {},
): Scene => ({
  name,
  path: '/runs',
  open: () => ({
    screen: (
      <QueryProvider>
        <RunsClient
          first={rest.never === undefined ? { groups, next: null } : undefined}
          readAt={Date.now()}
          saved={[{ name: 'Failed today', query: 'status=failed' }]}
          imports={of === undefined}
          deletes
          {...(of !== undefined && { of })}
        />
      </QueryProvider>
    ),
    answers: answersOf(groups),
  }),
  ...rest,
});

const binned = (n: number, runs: number) => ({
  ...{ id: `deletion-${n}`, by: 'ada@example.org', at: Date.now() - n * minute, until: Date.now() + 1_440 * minute },
  ...{ runs, bytes: 340_000 },
  some: Array.from({ length: Math.min(runs, 20) }, (_, place) => {
    const { id, projectId, projectName, status, message, createdAt } = run(
      n + place,
      place === 1 ? 'failed' : 'completed',
    );
    return { id, projectId, projectName, agent: 'lead', status, message, createdAt };
  }),
});

const bin = (name: string, deletions: readonly ReturnType<typeof binned>[]): Scene => ({
  name,
  path: '/runs/bin',
  open: () => ({
    screen: (
      <QueryProvider>
        <BinClient />
      </QueryProvider>
    ),
    answers: {
      'GET /api/v1/runs/bin': () => ({ runs: deletions.reduce((sum, { runs: each }) => sum + each, 0), deletions }),
    },
  }),
});

const rangeOf = (range: DashboardRange, most: number): Dashboard => {
  const { from, to, step, starts } = columnsOfRange(range, Date.now());
  const figures = (n: number) => ({
    ...{ calls: n, failed: n % 6 === 5 ? 2 : 0, p50: n === 0 ? undefined : 1_200 + n * 90 },
    ...{ p95: n === 0 ? undefined : 9_000 + n * 700, tokens: n * 5_400, costUsd: n * 0.031, peopleMs: n * 4_000 },
  });
  const columns = starts.map((start, n) => ({ from: start, to: start + step, ...figures((n * 7) % (most + 1)) }));
  return {
    ...{ range, by: 'agent', from, to, waiting: most === 0 ? 0 : 3, columns },
    total: figures(columns.reduce((sum, { calls }) => sum + calls, 0)),
    groups: ['lead', 'NY-Project-Manager', 'London-Project-Manager', 'an agent with a long name of many words']
      .slice(0, most)
      .map((name, n) => ({
        of: { project: undefined, projectName: undefined, name, revision: undefined },
        ...figures(120 - n * 25),
      })),
  };
};

const ofRuns = { kind: 'run', name: '', hours: 24, least: 10, enabled: true, mayChange: true } as const;
const ofDesk = { project: 'desk', projectName: 'Desk' };
const madeAlerts = (): readonly AlertInfo[] => {
  const checkedAt = Date.now() - 12_000;
  const raisedAt = Date.now() - 42 * minute;
  return [
    {
      ...{ ...ofRuns, ...ofDesk, id: 'a1', figure: 'errorRate', threshold: 0.05 },
      ...{ value: 0.124, calls: 137, raisedAt, checkedAt },
    },
    {
      ...{ ...ofRuns, id: 'a2', figure: 'costMonth', threshold: 200, value: 61.4, calls: 2_040 },
      ...{ raisedAt: undefined, checkedAt },
    },
    {
      ...{ ...ofRuns, id: 'a3', figure: 'p95', kind: 'agent', name: 'London-Project-Manager', threshold: 90_000 },
      ...{ ...ofDesk, value: 12_000, calls: 4, raisedAt: undefined, checkedAt },
    },
    {
      ...{ ...ofRuns, id: 'a4', figure: 'costDay', kind: 'model', name: 'openai.gpt-5-mini', threshold: 5 },
      ...{ enabled: false, calls: 0, raisedAt: undefined, checkedAt: undefined, mayChange: false },
    },
  ];
};

/** Alerts of many projects, of which the first are raised. */
const manyAlerts = (count: number): readonly AlertInfo[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ ...ofRuns, id: `m${n}`, project: `p${n}`, projectName: `Project ${n + 1}`, figure: 'p95', threshold: 60_000 },
    ...{ value: n < 2 ? 75_000 : 12_000, calls: 40 + n, checkedAt: Date.now() - 12_000 },
    raisedAt: n < 2 ? Date.now() - 5 * minute : undefined,
  }));

const isOld = ({ checkedAt = Number.POSITIVE_INFINITY }: AlertInfo) => Date.now() - checkedAt > minute;

/** Keeps alerts in memory. A check comes with the second reading, and finds a call more each minute. */
function alertServices(first: readonly AlertInfo[]): AlertServices {
  let alerts = first;
  let made = 0;
  const change = async (id: string, to: (alert: AlertInfo) => AlertInfo) => {
    alerts = alerts.map((alert) => (alert.id === id ? to(alert) : alert));
  };
  return {
    read: async (_project, limit) => {
      const now = { alerts: alerts.slice(0, limit), hasMore: alerts.length > limit };
      alerts = alerts.map((each) =>
        each.checkedAt === undefined && each.enabled
          ? {
              ...each,
              ...(each.name === 'misspelt' ? { calls: 0 } : { value: 0.021, calls: 95 }),
              checkedAt: Date.now(),
            }
          : { ...each, ...(isOld(each) && { calls: each.calls + 1, checkedAt: Date.now() }) },
      );
      return now;
    },
    add: async (project, rule) => {
      made += 1;
      const at = { raisedAt: undefined, checkedAt: undefined };
      const of = project === undefined ? {} : ofDesk;
      alerts = [...alerts, { ...rule, ...of, ...at, id: `new-${made}`, enabled: true, calls: 0, mayChange: true }];
    },
    save: (id, edit) => change(id, (alert) => ({ ...alert, ...edit, raisedAt: undefined })),
    remove: async (id) => {
      alerts = alerts.filter((alert) => alert.id !== id);
    },
  };
}

const dashboard = (name: string, shown: Dashboard, alerts: readonly AlertInfo[]): Scene => ({
  name,
  path: '/runs/dashboard',
  open: () => {
    const first = { alerts: alerts.slice(0, alertsAtOnce), hasMore: alerts.length > alertsAtOnce };
    const part = { first, project: undefined, projects: [{ id: 'desk', name: 'Desk' }], mayAll: true };
    const section = <DashboardAlerts {...part} services={alertServices(alerts)} />;
    return { screen: <DashboardView dashboard={shown} project={undefined} alerts={section} />, answers: {} };
  },
});

const of = { project: { id: 'desk', name: 'Desk' }, access: mayAll };

export const runs: Screen = {
  id: 'runs',
  title: 'Runs',
  scenes: [
    scene('every state', [...each, together]),
    scene('empty', []),
    scene('of a project', each, { path: '/p/desk/runs', of }),
    scene('of a project for somebody who only views', [], {
      path: '/p/desk/runs?status=failed',
      of: { ...of, access: mayView },
    }),
    scene('nothing matches', [], { path: '/runs?status=failed' }),
    scene('two hundred runs', many),
    scene('a long message', [long]),
    ofGroup('a correlation id', correlated(14), 'run-4'),
    ofGroup('a correlation id of many', correlated(1_200)),
    ofGroup('a correlation id of nothing', correlated(0)),
    bin('the bin', [binned(3, 2), binned(40, 240)]),
    bin('an empty bin', []),
    dashboard('the dashboard', rangeOf('7d', 40), madeAlerts()),
    dashboard('the dashboard of many alerts', rangeOf('7d', 40), manyAlerts(230)),
    dashboard('an empty dashboard', rangeOf('24h', 0), []),
    scene('loading', each, { never: ['GET /api/v1/runs'] }),
  ],
};
