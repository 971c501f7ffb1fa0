import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Logger } from 'pino';
import { AppError } from '@/lib/base/app-error';
import type { RunId, TaskId } from '@/lib/base/ids';
import type { Bindings } from '@/lib/base/places';
import type { ProjectEnv } from '@/lib/base/project-env';
import type { ProviderVariables } from '@/lib/cards/models/providers';
import { type ExportSettings, secretsOfExport } from '@/lib/interop/otlp/export-settings';
import type { KnownValues } from '@/lib/runtime/record/known-values';
import { hiddenValues } from '@/lib/runtime/record/redact-events';
import { systemFence } from '@/lib/sandbox/fence/fence';
import { describeFence } from '@/lib/sandbox/fence/fence-kind';
import { killAbandoned } from '@/lib/sandbox/fence/stray-processes';
import { keepSpareThread } from '@/lib/sandbox/js/js-sandbox';
import type { PythonSetting } from '@/lib/sandbox/python/python-setting';
import { pythonSetting } from '@/lib/sandbox/python/python-setting';
import { alertsAtOnce } from '@/lib/store/alerts';
import { auditHead } from '@/lib/store/audit';
import { collectTrees } from '@/lib/store/collect-trees';
import { openStore, type Store } from '@/lib/store/database';
import { liveTextsChannel, sendNotifications, watchTextsChannel, watchTextsKey } from '@/lib/store/live-text-messages';
import { type Notifications, openNotifications } from '@/lib/store/notifications';
import { isOutage } from '@/lib/store/outage';
import { removeOldNotices } from '@/lib/store/outbox';
import { peopleChannel } from '@/lib/store/pending-messages';
import { removeOldPersonNotices } from '@/lib/store/person-notices';
import { countDisk } from '@/lib/store/project-disk';
import { removeExpiredCounts } from '@/lib/store/rate-limiter';
import { applyRetention } from '@/lib/store/retention';
import { emptyBin } from '@/lib/store/run-bin';
import { summariseEndedRuns } from '@/lib/store/run-summaries';
import { foldTallies, talliesAtOnce } from '@/lib/store/run-tallies';
import type { OpeningKey } from '@/lib/store/sealing';
import { findStopRequests } from '@/lib/store/take-run';
import { removeOldTasks } from '@/lib/store/tasks';
import { findTreesOfRuns, readTree } from '@/lib/store/trees';
import { countEnds, removeOldFirings } from '@/lib/store/trigger-firings';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import type { OwnAddress } from '@/lib/tools/mcp/own-addresses';
import { createMcpPool } from '@/lib/tools/mcp/pool';
import { createTextReader, type TextReader } from '@/lib/tools/urls/text-reader';
import { advanceIdleLines } from './conversation-line';
import { expireOverdue } from './end-items';
import { endFailed } from './end-run';
import { openRunQueue } from './enqueue';
import { tellExecutingRun } from './executing-run';
import { createLastChances } from './last-chances';
import { LiveTextSender } from './live-text-sender';
import { type Liveness, startLiveness } from './liveness';
import { createMirrorPusher } from './mirror/push-mirrors';
import { checkAlerts } from './notify/check-alerts';
import { type NotifySettings, noNotices, secretsOfNotices } from './notify/notify-settings';
import { createNoticeSender, type NoticeSender } from './notify/send-notices';
import { tellRecorded } from './notify/tell';
import { openProjectBudgets } from './project-budgets';
import {
  applicationName,
  applicationVersion,
  queuedRunChannel,
  queuedTask,
  queueName,
  stopRunChannel,
  taskQueueName,
  taskWorkflowName,
  workflowName,
} from './queue';
import { queueLogger } from './queue-log';
import { keepReserve } from './queue-reserve';
import { partitionQueued, sharesOf } from './queue-shares';
import { openQueueWake, type QueueWake } from './queue-wake';
import { findStrandedRuns, recoverDeadWorkers } from './recovery';
import { rememberTrees } from './remember-trees';
import { resumeAnswered } from './resume-runs';
import type { ReadForRun, RunContext } from './run-context';
import { openSecret, sealAnew } from './run-secrets';
import { obeyTaskStop, runTask } from './run-task';
import { runStint } from './run-workflow';
import { createSignInBook } from './sign-in-book';
import { createSpanExporter, noExporter } from './span-exporter';
import { keepDateSteady, systemClock } from './system-clock';
import type { TriggerPorts } from './triggers/fire';
import { startDue } from './triggers/start-due';
import { openWorkFolders } from './work-folders';

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** The `node_modules` of the app, for JavaScript servers that come with a folder. */
  readonly packages: string;
  readonly log: Logger;
  /** Gets every secret that the worker comes to know. */
  readonly seen?: KnownValues | undefined;
  /** The operator's keys and addresses of model providers. */
  readonly models: ProviderVariables;
  /** The values for `${NAME}` in projects. */
  readonly projectEnv: ProjectEnv;
  /** Those that go to some places only, and the places; none by default. */
  readonly boundEnv?: ProjectEnv;
  readonly bound?: Bindings;
  /** True if people have accounts; false by default. */
  readonly accounts?: boolean;
  /** The keys that open secrets, the newest first; none by default. */
  readonly secretKeys?: readonly OpeningKey[];
  /** The environment from which servers and commands inherit PATH and similar variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readForRun: ReadForRun;
  /** Python is off by default. */
  readonly python?: PythonSetting;
  /** True if cards with `shell: true` may run commands; false by default. */
  readonly shell?: boolean;
  /**
   * The private addresses of MCP servers and included texts that may be called, as in CALLBOARD_ALLOW_PRIVATE_URLS; none by
   * default.
   */
  readonly allowPrivateUrls?: string | undefined;
  /** The ports of Callboard itself, which projects may not call; none by default. */
  readonly own?: readonly OwnAddress[];
  /** Where spans of runs are sent while they run; nowhere by default. */
  readonly spans?: ExportSettings | undefined;
  /** Where notices of questions go by the environment; nowhere by default. Others are in the database. */
  readonly notify?: NotifySettings;
  /** The version of this Callboard, which the name of a connection tells; none by default. */
  readonly version?: string;
  /** The port of the app, for links to it; 3000 by default. */
  readonly port?: number;
  /** The number of runs that are executed at once. It is 50 by default, because a run mostly waits for models and tools. */
  readonly concurrency?: number;
}

export interface Worker {
  readonly name: string;
  /** Hands its runs to other workers, and ends its servers. */
  stop(): Promise<void>;
}

const watchMs = 1_000;
const sweepMs = 30_000;
const countMs = 60_000;
const collectMs = 600_000;
/** Whoever rewrites the whole audit log cannot rewrite the logs of workers too. */
const dayMs = 86_400_000;
const summariesAtOnce = 20;
/**
 * A notification starts a queued run immediately. Polling finds runs whose notification was lost, and runs that were handed
 * back.
 */
const pollQueueMs = 500;
const placeIsFreeMs = 20;
/** A worker does this many tasks of editors at once. A person waits for each of them. */
const tasksAtOnce = 8;
/** A task whose notification was lost is found this late. */
const pollTasksMs = 5_000;

/**
 * Starts the worker of this process. There can be only one, because DBOS keeps its state in its module. The database must
 * be prepared.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const name = `worker-${process.pid}-${randomBytes(4).toString('hex')}`;
  const log = options.log.child({ worker: name });
  killAbandoned();
  keepDateSteady();
  keepSpareThread();
  tellExecutingRun(name);
  const store = openStore(options.databaseUrl, { maxConnections: 12 });
  const stopRequests = openNotifications(options.databaseUrl, stopRunChannel, watchTextsChannel, peopleChannel);
  const liveness = await startLiveness(options.databaseUrl, name, systemClock, options.version);
  const urls = createTextReader({ allowPrivateUrls: options.allowPrivateUrls, own: options.own });
  const context = await openContext(options, { name, log, store, urls, news: stopRequests });
  const wakes = await launchQueues(options, context, stopRequests);
  const queued = openNotifications(options.databaseUrl, queuedRunChannel);
  queued.subscribe(queuedRunChannel, wakes.runs.wake);
  queued.subscribe(queuedTask, wakes.tasks.wake);
  stopRequests.subscribe(watchTextsKey, (request) => {
    if (request !== undefined) context.liveTexts.watch(request);
  });
  const stopping = new AbortController();
  // Each chore listens.
  setMaxListeners(0, stopping.signal);
  await sealAnew(store, options.secretKeys ?? [], log);
  const notices = await openNotices(options, context);
  const chores = startChores(context, liveness, notices, stopping.signal);
  logFence(log);
  log.info('worker ready');

  return {
    name,
    async stop() {
      stopping.abort();
      wakes.runs.close();
      wakes.tasks.close();
      for (const task of context.tasks.values()) task.stop.abort();
      await Promise.race([DBOS.shutdown().catch(() => undefined), systemClock.sleep(2_000)]);
      const active = [...context.active.values()];
      await Promise.allSettled(active.map((run) => run.handBack()));
      for (const run of active) run.stop.abort();
      await Promise.allSettled(chores);
      context.liveTexts.close();
      await context.spans.close();
      notices.close();
      urls.close();
      const { mcp, folders } = context;
      await Promise.allSettled([mcp.close(), folders.remove(), stopRequests.close(), queued.close()]);
      await liveness.stop();
      await closeQuietly(store);
    },
  };
}

interface Opened {
  readonly name: string;
  readonly log: Logger;
  readonly store: Store;
  readonly urls: TextReader;
  readonly news: Notifications;
}

async function openContext(options: WorkerOptions, { name, log, store, urls, news }: Opened): Promise<RunContext> {
  const { models, projectEnv, bound, env, allowPrivateUrls, own, databaseUrl, spans, notify = noNotices } = options;
  const given = { ...projectEnv, ...options.boundEnv };
  const more = [...(spans === undefined ? [] : secretsOfExport(spans)), ...secretsOfNotices(notify)];
  const mcp = createMcpPool({
    clock: systemClock,
    env,
    projectEnv: given,
    allowPrivateUrls,
    own,
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
  const guard = createAddressGuard(allowPrivateUrls, { own });
  const keys = options.secretKeys ?? [];
  const signIns = createSignInBook({ store, clock: systemClock, log, guard, keys, seen: options.seen });
  const hidden = hiddenValues({ models, databaseUrl, projectEnv: given, env, more });
  options.seen?.add(hidden.everywhere);
  return {
    store,
    clock: systemClock,
    log,
    seen: options.seen,
    worker: name,
    modelEnv: { variables: models, projectEnv: given, bound, hasValues: true },
    guard,
    projectEnv,
    accounts: options.accounts === true,
    keys,
    signIns,
    hidden: { ...hidden, live: signIns.hidden },
    mcp,
    urls,
    python: options.python ?? pythonSetting(undefined),
    shellEnv: options.shell === true ? env : undefined,
    folders,
    lastChances: createLastChances(systemClock),
    liveTexts: new LiveTextSender(systemClock, (messages) => sendNotifications(store, liveTextsChannel, messages)),
    spans: spans === undefined ? noExporter : createSpanExporter(spans, systemClock, log),
    budgets: openProjectBudgets(store, systemClock),
    news,
    readTree: rememberTrees((hash) => readTree(store.prisma, hash)),
    readForRun: options.readForRun,
    active: new Map(),
    tasks: new Map(),
  };
}

/** Registers the workflows and begins to take runs and tasks from their queues. */
async function launchQueues(
  options: WorkerOptions,
  context: RunContext,
  stopRequests: Notifications,
): Promise<{ readonly runs: QueueWake; readonly tasks: QueueWake }> {
  DBOS.setConfig({
    name: applicationName,
    systemDatabaseUrl: options.databaseUrl,
    systemDatabasePoolSize: 6,
    applicationVersion,
    executorID: context.worker,
    logger: queueLogger(context.log),
  });
  const runShares = sharesOf(options.concurrency ?? 50);
  const taskShares = sharesOf(tasksAtOnce);
  let runs: QueueWake | undefined;
  const workflow = async (runId: RunId) => {
    await watched(context, stopRequests, runId);
    // The worker was full, or full of runs of one, so others may wait. There is room again as soon as DBOS has stored the end of the
    // workflow.
    if (context.active.size + 1 >= runShares.partitionWorkerConcurrency)
      void systemClock.sleep(placeIsFreeMs).then(() => runs?.wake());
  };
  // DBOS would count every recovery as an attempt. Attempts are limited in ./run-attempt instead, where progress counts.
  DBOS.registerWorkflow(workflow, { name: workflowName, maxRecoveryAttempts: 1_000_000 });
  let tasks: QueueWake | undefined;
  const taskWorkflow = async (taskId: TaskId) => {
    await watchedTask(context, stopRequests, taskId);
    if (context.tasks.size + 1 >= tasksAtOnce) void systemClock.sleep(placeIsFreeMs).then(() => tasks?.wake());
  };
  DBOS.registerWorkflow(taskWorkflow, { name: taskWorkflowName });
  await DBOS.launch();
  keepReserve();
  await registerQueue(queueName, runShares, pollQueueMs);
  await registerQueue(taskQueueName, taskShares, pollTasksMs);
  await partitionQueued(context.store);
  const hasRoom = () => context.active.size < runShares.workerConcurrency;
  runs = openQueueWake({ queueName, clock: systemClock, hasRoom });
  const hasTaskRoom = () => context.tasks.size < taskShares.workerConcurrency;
  tasks = openQueueWake({ queueName: taskQueueName, clock: systemClock, hasRoom: hasTaskRoom });
  return { runs, tasks };
}

async function registerQueue(
  name: string,
  shares: ReturnType<typeof sharesOf>,
  minPollingIntervalMs: number,
): Promise<void> {
  await DBOS.registerQueue(name, { ...shares, minPollingIntervalMs, onConflict: 'always_update' });
}

/** Opens what sends notices. A database that is away now does not keep the worker from starting. */
async function openNotices(options: WorkerOptions, { store, guard, log, keys }: RunContext): Promise<NoticeSender> {
  const { notify: settings = noNotices, port = 3000, own } = options;
  const notices = createNoticeSender({ store, clock: systemClock, settings, port, guard, own, keys });
  await notices.announce().catch((error: unknown) => log.error({ err: error }, 'targets of notices cannot be stored'));
  return notices;
}

function startChores(
  context: RunContext,
  liveness: Liveness,
  notices: NoticeSender,
  signal: AbortSignal,
): readonly Promise<void>[] {
  const { store, log, folders, guard } = context;
  const triggers = triggerPorts(context);
  const mirrors = createMirrorPusher({ store, log, guard, signal, open: (secret) => openSecret(context, secret) });
  return [
    repeat(signal, log, watchMs, async () => {
      for (const dead of await recoverDeadWorkers(store, liveness))
        log.warn({ dead }, 'runs of a dead worker recovered');
      await obeyStopRequests(context);
    }),
    repeat(signal, log, watchMs, async () => {
      while (!signal.aborted && (await expireOverdue(store)));
      await resumeAnswered(store);
    }),
    repeat(signal, log, watchMs, async () => {
      await tellRecorded(store);
      while (!signal.aborted && (await notices.sendDue()) > 0);
    }),
    repeat(signal, log, watchMs, async () => {
      while (!signal.aborted && (await checkAlerts(store, systemClock.now())) === alertsAtOnce);
    }),
    repeat(signal, log, watchMs, async () => {
      while (!signal.aborted && (await mirrors.pushDue()) > 0);
    }).finally(() => mirrors.close()),
    repeat(signal, log, watchMs, async () => {
      await startDue(triggers);
      while (!signal.aborted && (await countEnds(store)) > 0);
    }),
    repeat(signal, log, collectMs, () => removeOldFirings(store)),
    repeat(signal, log, collectMs, () => removeOldNotices(store)),
    repeat(signal, log, collectMs, () => removeOldPersonNotices(store)),
    repeat(signal, log, sweepMs, async () => {
      for (const runId of await findStrandedRuns(store)) {
        log.error({ run_id: runId }, 'run had lost its workflow');
        await endFailed(context, runId);
      }
      await advanceIdleLines(store);
    }),
    repeat(signal, log, sweepMs, () => folders.sweep()),
    repeat(signal, log, sweepMs, async () => {
      while (!signal.aborted && (await summariseEndedRuns(store, summariesAtOnce)) === summariesAtOnce);
    }),
    repeat(signal, log, countMs, async () => {
      while (!signal.aborted && (await foldTallies(store)) === talliesAtOnce);
    }),
    repeat(signal, log, dayMs, async () => {
      const head = await auditHead(store);
      if (head !== undefined) log.info({ seq: head.seq, hash: head.hash }, 'newest entry of the audit log');
    }),
    repeat(signal, log, collectMs, () => removeOldTasks(store)),
    repeat(signal, log, collectMs, () => removeExpiredCounts(store)),
    repeat(signal, log, countMs, () => countDisk(store)),
    repeat(signal, log, collectMs, () => collectTrees(store)),
    repeat(signal, log, collectMs, async () => {
      const { runs, bytes } = await applyRetention(store, signal);
      if (runs > 0) log.info({ runs, bytes }, 'retention deleted old runs');
    }),
    repeat(signal, log, collectMs, async () => {
      const runs = await emptyBin(store, signal);
      if (runs > 0) log.info({ runs }, 'runs of the bin are deleted');
    }),
  ];
}

/** A worker reads folders in the same way for a run and for the question whether it may start. */
function triggerPorts({ store, accounts, readForRun, readTree }: RunContext): TriggerPorts {
  return {
    store,
    accounts,
    queue: openRunQueue(store),
    async list({ treeHash }) {
      const read = await readForRun(treeHash, await readTree(treeHash));
      if (!read.ok) throw new AppError('too_large', read.error.message);
      return read.value.capabilities;
    },
  };
}

function logFence(log: Logger): void {
  const { kind } = systemFence();
  const { state, meaning } = describeFence(kind);
  log[kind === 'hidden' ? 'info' : 'warn']({ fence: kind }, `isolation of processes of projects: ${state}. ${meaning}`);
}

async function watched(context: RunContext, stopRequests: Notifications, runId: RunId): Promise<void> {
  const unsubscribe = stopRequests.subscribe(runId, () => void obeyStopRequests(context).catch(() => undefined));
  try {
    await runStint(context, runId, DBOS.workflowID ?? runId);
  } catch (error) {
    context.log.error({ err: error, run_id: runId }, 'run failed because of a bug');
    await endFailed(context, runId);
  } finally {
    unsubscribe();
  }
}

async function watchedTask(context: RunContext, stopRequests: Notifications, taskId: TaskId): Promise<void> {
  const unsubscribe = stopRequests.subscribe(taskId, () => void obeyTaskStop(context, taskId).catch(() => undefined));
  try {
    await runTask(context, taskId);
  } catch (error) {
    context.log.error({ err: error, task_id: taskId }, 'task failed because of a bug');
  } finally {
    unsubscribe();
  }
}

async function obeyStopRequests({ store, active }: RunContext): Promise<void> {
  if (active.size === 0) return;
  for (const runId of await findStopRequests(store, [...active.keys()])) active.get(runId)?.stop.abort();
}

/** Repeats a task until `signal` aborts. A failure is logged, and the task is tried again next time. */
async function repeat(signal: AbortSignal, log: Logger, everyMs: number, chore: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await chore();
    } catch (error) {
      if (!isOutage(error)) log.error({ err: error }, 'a task of the worker failed');
    }
    await systemClock.sleep(everyMs, signal);
  }
}

async function closeQuietly(store: Store): Promise<void> {
  await Promise.race([store.close().catch(() => undefined), systemClock.sleep(1_000)]);
}
