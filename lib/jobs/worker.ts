import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Logger } from 'pino';
import type { RunId } from '@/lib/base/ids';
import type { ProjectEnv } from '@/lib/base/project-env';
import type { ProviderVariables } from '@/lib/cards/models/providers';
import { hiddenValues } from '@/lib/runtime/record/redact-events';
import { systemFence } from '@/lib/sandbox/fence';
import { describeFence } from '@/lib/sandbox/fence-kind';
import type { PythonSetting } from '@/lib/sandbox/python-setting';
import { pythonSetting } from '@/lib/sandbox/python-setting';
import { killAbandoned } from '@/lib/sandbox/stray-processes';
import { collectTrees } from '@/lib/store/collect-trees';
import { openStore, type Store } from '@/lib/store/database';
import { type Notifications, openNotifications } from '@/lib/store/notifications';
import { isOutage } from '@/lib/store/outage';
import { findStopRequests } from '@/lib/store/take-run';
import { findTreesOfRuns, readTree } from '@/lib/store/trees';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import type { OwnAddress } from '@/lib/tools/mcp/own-addresses';
import { createMcpPool } from '@/lib/tools/mcp/pool';
import { createTextReader } from '@/lib/tools/urls/text-reader';
import { tellExecutingRun } from './executing-run';
import { createLastChances } from './last-chances';
import { startLiveness } from './liveness';
import {
  applicationName,
  applicationVersion,
  queuedRunChannel,
  queueName,
  stopRunChannel,
  workflowName,
} from './queue';
import { queueLogger } from './queue-log';
import { openQueueWake, type QueueWake } from './queue-wake';
import { findStrandedRuns, recoverDeadWorkers } from './recovery';
import { rememberTrees } from './remember-trees';
import { endFailed, type ReadForRun, type RunContext, runToItsEnd } from './run-workflow';
import { keepDateSteady, systemClock } from './system-clock';
import { openWorkFolders } from './work-folders';

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** `node_modules` of the app, for servers written in JavaScript that come with a folder. */
  readonly packages: string;
  readonly log: Logger;
  /** The operator's keys and addresses of model providers. */
  readonly models: ProviderVariables;
  /** What fills `${NAME}` in projects. */
  readonly projectEnv: ProjectEnv;
  /** What servers and commands inherit their PATH and the like from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readForRun: ReadForRun;
  /** Default off. */
  readonly python?: PythonSetting;
  /** Whether cards with `shell: true` get their shell. Default no. */
  readonly shell?: boolean;
  /** Private addresses that may be called: MCP servers, and what instructions include, as in CALLBOARD_ALLOW_PRIVATE_URLS. Default none. */
  readonly allowPrivateUrls?: string | undefined;
  /** Ports of Callboard itself, where nothing that a project names is called. Default none. */
  readonly own?: readonly OwnAddress[];
  /** Runs at once. Default 50: a run mostly waits for others. */
  readonly concurrency?: number;
}

export interface Worker {
  readonly name: string;
  /** Hands its runs back for others to continue, and ends its servers. */
  stop(): Promise<void>;
}

const watchMs = 1_000;
const sweepMs = 30_000;
const collectMs = 600_000;
/** A worker hears of a queued run at once; this is for what it did not hear, and for runs that others gave up. */
const pollQueueMs = 500;
const placeIsFreeMs = 20;

/** One per process: DBOS keeps its state in the module. The database must have been prepared. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const name = `worker-${process.pid}-${randomBytes(4).toString('hex')}`;
  const log = options.log.child({ worker: name });
  killAbandoned();
  keepDateSteady();
  tellExecutingRun(name);
  const store = openStore(options.databaseUrl, { maxConnections: 12 });
  const stopRequests = openNotifications(options.databaseUrl, stopRunChannel);
  const liveness = await startLiveness(options.databaseUrl, name, systemClock);
  const mcp = createMcpPool({
    clock: systemClock,
    env: options.env,
    projectEnv: options.projectEnv,
    allowPrivateUrls: options.allowPrivateUrls,
    own: options.own,
    log: ({ level, message, code, serverName }) =>
      log[level === 'warning' ? 'warn' : level]({ code, server_name: serverName }, message),
  });
  const folders = await openWorkFolders({
    root: path.join(options.dataFolder, 'work'),
    worker: name,
    packages: options.packages,
    clock: systemClock,
    findWanted: (hashes) => findTreesOfRuns(store, hashes),
    leave: (folder) => mcp.leave(folder),
  });
  const urls = createTextReader({ allowPrivateUrls: options.allowPrivateUrls, own: options.own });
  const context: RunContext = {
    store,
    clock: systemClock,
    log,
    worker: name,
    modelEnv: { variables: options.models, projectEnv: options.projectEnv, hasValues: true },
    guard: createAddressGuard(options.allowPrivateUrls, { own: options.own }),
    projectEnv: options.projectEnv,
    hidden: hiddenValues({
      models: options.models,
      databaseUrl: options.databaseUrl,
      projectEnv: options.projectEnv,
      env: options.env,
    }),
    mcp,
    urls,
    python: options.python ?? pythonSetting(undefined),
    shellEnv: options.shell === true ? options.env : undefined,
    folders,
    lastChances: createLastChances(systemClock),
    readTree: rememberTrees((hash) => readTree(store.prisma, hash)),
    readForRun: options.readForRun,
    active: new Map(),
  };

  DBOS.setConfig({
    name: applicationName,
    systemDatabaseUrl: options.databaseUrl,
    systemDatabasePoolSize: 6,
    applicationVersion,
    executorID: name,
    logger: queueLogger(log),
  });
  // How often a run is tried is decided in run-workflow, where progress counts; DBOS would count every recovery.
  const workerConcurrency = options.concurrency ?? 50;
  let queue: QueueWake | undefined;
  const workflow = async (runId: RunId) => {
    await watched(context, stopRequests, runId);
    // Others may wait for its place, which is free once DBOS has stored that it ended.
    if (context.active.size + 1 >= workerConcurrency) void systemClock.sleep(placeIsFreeMs).then(() => queue?.wake());
  };
  DBOS.registerWorkflow(workflow, { name: workflowName, maxRecoveryAttempts: 1_000_000 });
  await DBOS.launch();
  const queueOptions = { workerConcurrency, minPollingIntervalMs: pollQueueMs, onConflict: 'always_update' } as const;
  await DBOS.registerQueue(queueName, queueOptions);
  const hasRoom = () => context.active.size < workerConcurrency;
  const wake = openQueueWake({ queueName, clock: systemClock, hasRoom });
  const queuedRuns = openNotifications(options.databaseUrl, queuedRunChannel);
  queuedRuns.subscribe(queuedRunChannel, wake.wake);
  queue = wake;

  const stopping = new AbortController();
  const chores = [
    repeat(stopping.signal, log, watchMs, async () => {
      for (const dead of await recoverDeadWorkers(store, liveness))
        log.warn({ dead }, 'runs of a dead worker recovered');
      await obeyStopRequests(context);
    }),
    repeat(stopping.signal, log, sweepMs, async () => {
      for (const runId of await findStrandedRuns(store)) {
        log.error({ run_id: runId }, 'run had lost its workflow');
        await endFailed(context, runId);
      }
    }),
    repeat(stopping.signal, log, sweepMs, () => folders.sweep()),
    repeat(stopping.signal, log, collectMs, () => collectTrees(store)),
  ];
  const fence = systemFence().kind;
  log[fence === 'hidden' ? 'info' : 'warn'](
    { fence },
    `fence round processes of graphs: ${describeFence(fence).state}. ${describeFence(fence).meaning}`,
  );
  log.info('worker ready');

  return {
    name,
    async stop() {
      stopping.abort();
      wake.close();
      await Promise.race([DBOS.shutdown().catch(() => undefined), systemClock.sleep(2_000)]);
      const active = [...context.active.values()];
      await Promise.allSettled(active.map((run) => run.handBack()));
      for (const run of active) run.stop.abort();
      await Promise.allSettled(chores);
      urls.close();
      await Promise.allSettled([mcp.close(), folders.remove(), stopRequests.close(), queuedRuns.close()]);
      await liveness.stop();
      await closeQuietly(store);
    },
  };
}

async function watched(context: RunContext, stopRequests: Notifications, runId: RunId): Promise<void> {
  const unsubscribe = stopRequests.subscribe(runId, () => void obeyStopRequests(context).catch(() => undefined));
  try {
    await runToItsEnd(context, runId);
  } catch (error) {
    context.log.error({ err: error, run_id: runId }, 'run failed for a bug');
    await endFailed(context, runId);
  } finally {
    unsubscribe();
  }
}

async function obeyStopRequests({ store, active }: RunContext): Promise<void> {
  if (active.size === 0) return;
  for (const runId of await findStopRequests(store, [...active.keys()])) active.get(runId)?.stop.abort();
}

/** Does a chore now and again; what goes wrong is logged and tried again next time. */
async function repeat(signal: AbortSignal, log: Logger, everyMs: number, chore: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await chore();
    } catch (error) {
      if (!isOutage(error)) log.error({ err: error }, 'a chore of the worker failed');
    }
    await systemClock.sleep(everyMs, signal);
  }
}

async function closeQuietly(store: Store): Promise<void> {
  await Promise.race([store.close().catch(() => undefined), systemClock.sleep(1_000)]);
}
