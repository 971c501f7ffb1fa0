import { assertNever } from '@/lib/base/assert';
import { hideValues } from '@/lib/base/hide-values';
import type { ProjectId, TaskId } from '@/lib/base/ids';
import type { FilesRequest, TaskAnswer, ToolRequest } from '@/lib/base/task';
import { taskRequest } from '@/lib/base/task-request';
import { withoutFixtures } from '@/lib/cards/fixture-files';
import type { PolicyRule } from '@/lib/cards/policy/rule';
import { allHidden } from '@/lib/runtime/record/redact-events';
import { readListings } from '@/lib/store/known-servers';
import { isOutage } from '@/lib/store/outage';
import { sealedSecretsOf } from '@/lib/store/secrets';
import {
  endTask,
  isTaskStopped,
  stoppedAnswer,
  type TakenTask,
  type TaskFiles,
  takeTask,
  taskMs,
} from '@/lib/store/tasks';
import { needsConfirmation } from '@/lib/store/trust';
import { probeProject, serverToProbe, type TaskProject } from './probe-project';
import { type Rules, readRules, refusePolicy } from './refuse-policy';
import { refuseUnapproved } from './refuse-unapproved';
import { refuseUnconfirmed } from './refuse-unconfirmed';
import { retryDuringOutage } from './retry-outage';
import type { RunContext } from './run-context';
import { withSecrets } from './run-secrets';
import { beginTask, finishTask, revokeTask } from './sign-in-tasks';
import { listModelsOf, tryKey } from './try-key';
import { tryProjectHooks } from './try-project-hooks';
import { shownLine, tryProjectTool } from './try-project-tool';

/**
 * Does a task and stores its answer. It is done at most once: a task that was taken before, by a worker that
 * died, is not repeated. Rejects only for a bug, after the answer was stored.
 */
export async function runTask(context: RunContext, id: TaskId): Promise<void> {
  const { store, clock } = context;
  const taken = await retryDuringOutage(clock, () => takeTask(store, id));
  if (taken === undefined) return;
  const stop = new AbortController();
  context.tasks.set(id, { stop });
  const inTime = new AbortController();
  let isLate = false;
  void clock.sleep(taskMs, inTime.signal).then(() => {
    isLate = !inTime.signal.aborted;
    if (isLate) stop.abort();
  });
  try {
    // The request to stop may have come before its notification could be heard.
    if (await isTaskStopped(store, id)) stop.abort();
    const answer = stop.signal.aborted ? stoppedAnswer : await answerOf(context, taken, stop.signal);
    const end = isLate ? lateAnswer : stop.signal.aborted ? stoppedAnswer : answer;
    await retryDuringOutage(clock, () => endTask(store, id, end));
  } catch (error) {
    await retryDuringOutage(clock, () => endTask(store, id, faultAnswer));
    if (!isOutage(error)) throw error;
  } finally {
    inTime.abort();
    context.tasks.delete(id);
  }
}

/** Stops a task if a user asked for it. */
export async function obeyTaskStop({ store, tasks }: RunContext, id: TaskId): Promise<void> {
  const task = tasks.get(id);
  if (task !== undefined && (await isTaskStopped(store, id))) task.stop.abort();
}

async function answerOf(context: RunContext, taken: TakenTask, signal: AbortSignal): Promise<TaskAnswer> {
  const request = taskRequest.parse(JSON.parse(taken.request));
  switch (request.kind) {
    case 'key':
      return await tryKey(context, taken, request, signal);
    case 'sign-in-code':
      return await finishTask(context, taken, request, signal);
    case 'models':
      return await listModelsOf(context, taken, request, signal);
    case 'sign-out':
      return await revokeTask(context, request, signal);
    default:
  }
  if (taken.files === undefined) throw new Error(`Bug: task '${request.kind}' has no files`);
  return await answerAboutFiles(context, { ...taken.files, id: taken.id }, request, signal);
}

async function answerAboutFiles(
  context: RunContext,
  files: TaskFiles & Pick<TakenTask, 'id'>,
  request: FilesRequest,
  signal: AbortSignal,
): Promise<TaskAnswer> {
  const folder = await context.readTree(files.treeHash);
  const reading = await context.readForRun(files.treeHash, folder);
  if (!reading.ok) {
    const { file, line, message } = reading.error;
    return { ok: false, code: 'too_complex', message: `${file}:${line}: ${message}` };
  }
  const { capabilities } = reading.value;
  const rules = await readRules(context.store, files.projectId);
  const held = rulesFor(request, rules);
  const sealed = await sealedSecretsOf(context.store, files.projectId, context);
  const refusal =
    refuseUnconfirmed(files, capabilities) ??
    refusePolicy(held.policy, folder, reading.value, held.listings) ??
    (await refuseUnapproved(context, files.projectId, capabilities, sealed));
  if (refusal !== undefined) return { ok: false, ...refusal };
  const opened = await withSecrets(context, files.projectId, capabilities, sealed);
  const own = { ...opened, projectSignIns: await context.signIns.of(files.projectId) };
  const work = await context.folders.materialise(files.treeHash, withoutFixtures(folder));
  try {
    const needed = needsConfirmation(files.origin);
    const project = { folder, reading: reading.value, root: work.path, needsConfirmation: needed };
    switch (request.kind) {
      case 'probe':
        return hideValues(await probeProject(own, project, request, signal), hiddenInLogs(own, project));
      case 'sign-in':
        return await beginTask(context, files, { spec: serverToProbe(own, project, request), request }, signal);
      case 'hooks':
        return hiddenInTry(own, project, await tryProjectHooks(own, project, request, signal));
      case 'tool': {
        const knownSchema = await schemaOf(context, files.projectId, request);
        const given = { id: files.id, policy: rules.policy, knownSchema };
        return hiddenInTry(own, project, await tryProjectTool(own, project, given, request, signal));
      }
      default:
        return assertNever(request);
    }
  } finally {
    work.release();
  }
}

/** Returns the schema of a server's tool as its last test found it. */
async function schemaOf({ store }: RunContext, project: ProjectId, { server, tool }: ToolRequest) {
  if (server === undefined) return undefined;
  const listings = await readListings(store, project);
  const listed = Object.hasOwn(listings, server) ? listings[server]?.tools : undefined;
  return listed?.find(({ name }) => `${server}__${name}` === tool)?.inputSchema;
}

/** A tool that is called must be allowed as in a run, so all rules hold. A test of a server or a hook calls no model and no tool. */
function rulesFor({ kind }: FilesRequest, rules: Rules): Pick<Rules, 'policy' | 'listings'> {
  return kind === 'tool' ? rules : { policy: rules.policy.filter(isAboutProcesses), listings: {} };
}

function isAboutProcesses({ demand }: PolicyRule): boolean {
  return demand.kind === 'servers' || demand.kind === 'no_python';
}

/** Returns the values that are hidden in the logs of runs. */
function hiddenInLogs({ hidden }: RunContext, { reading }: TaskProject): readonly string[] {
  return allHidden(hidden, reading.secrets);
}

/** Hides values as in the events of a run: some everywhere, others only in what code and servers print. */
function hiddenInTry(context: RunContext, project: TaskProject, answer: TaskAnswer): TaskAnswer {
  const hidden = hiddenInLogs(context, project);
  // The reason why a server did not start has its last output.
  if (!answer.ok) return hideValues(answer, hidden);
  const clean = hideValues(answer, allHidden({ ...context.hidden, inLogs: [] }));
  if (clean.kind === 'tool') {
    return { ...clean, report: { ...clean.report, log: hideValues(clean.report.log, hidden).map(shownLine) } };
  }
  if (clean.kind !== 'hooks') return clean;
  const steps = clean.report.steps.map((step) => ({ ...step, log: hideValues(step.log, hidden) }));
  return { ...clean, report: { ...clean.report, steps } };
}

const lateAnswer: TaskAnswer = {
  ok: false,
  code: 'timeout',
  message: `It took longer than ${taskMs / 1000} seconds and was stopped.`,
};
const faultAnswer: TaskAnswer = {
  ok: false,
  code: 'internal',
  message: 'Callboard failed while it worked on this. The log of the workers has the details.',
};
