import { approvalServices } from '@/app/approval-services';
import { callAction } from '@/app/call-action';
import { sendMessage } from '@/app/conversation-actions';
import { stop } from '@/app/r/[run]/actions';
import type { EditorRequest, TaskAnswer } from '@/lib/base/task';
import type { FolderFile } from '@/lib/cards/folder';
import { RequestError } from '@/lib/client/ask';
import { readKnownServers } from '@/lib/client/known-servers';
import { leavePresence, sayPresence, watchPresence } from '@/lib/client/presence';
import { readFiles, uploadBytes } from '@/lib/client/project-files';
import { findProject } from '@/lib/client/projects';
import { waitForTask } from '@/lib/client/tasks';
import { readUses } from '@/lib/client/uses';
import type { FileChanges } from '@/lib/editor/document';
import type { SaveOutcome } from '@/lib/editor/project-state';
import type { EditorServices, Reported, RunInput, Started, TaskOptions } from '@/lib/editor/services';
import type { TrustAnswer } from '@/lib/editor/trust-session';
import { beginTask, confirm, endTask, save, start, tellServers } from './actions';

/** Makes the requests of the editor of a draft to the server. */
export function editorServices(project: string, draft?: string): EditorServices {
  return {
    async save(baseVersion, changes, { brought }) {
      const saved = await callAction(() =>
        save({ project, draft, baseVersion, changes: sentChanges(changes), brought }),
      );
      if (saved.ok) return { kind: 'saved', version: saved.value };
      if (saved.code === 'conflict') return await conflict({ project, draft, baseVersion }, saved.message);
      const message = saved.code === 'unavailable' ? `${saved.message} ${kept}` : saved.message;
      return { kind: 'failed', message, lasting: !passing.has(saved.code) };
    },
    presence: {
      say: (presence) => sayPresence(project, presence),
      leave: (window) => leavePresence(project, window),
      watch: (onPresent) => watchPresence(project, draft ?? 'main', onPresent),
    },
    readUses: (part) => readUses(project, { ...part, draft: draft ?? 'main' }).catch(() => undefined),
    async uploadBytes(bytes) {
      try {
        return { ok: true, file: await uploadBytes(project, bytes) };
      } catch (error) {
        return { ok: false, message: sentenceOf(error) };
      }
    },
    async newerThan(known) {
      try {
        const now = await findProject(project, draft);
        return now === undefined || now.version === known ? undefined : await readFiles(project, draft, known);
      } catch {
        return undefined;
      }
    },
    async startRun(input) {
      if (input.conversationId !== undefined) return await sendTurn(project, draft, input);
      const started = await callAction(() => start({ project, draft: draft ?? 'main', ...input }));
      if (started.ok) return { ok: true, runId: started.value };
      return { ok: false, message: started.message, notTrusted: asksFirst.has(started.code) };
    },
    async stopRun(run) {
      const stopped = await callAction(() => stop({ run }));
      return stopped.ok ? undefined : stopped.message;
    },
    async probeServer(server, { agent, ...options } = {}) {
      const answer = await askWorker(
        { project, draft },
        { kind: 'probe', server, ...(agent !== undefined && { agent }) },
        options,
      );
      return answer.ok && answer.kind === 'probe' ? { ok: true, report: answer.report } : noReport(answer);
    },
    async readServers() {
      try {
        return await readKnownServers(project);
      } catch {
        return undefined;
      }
    },
    async tellServers(news) {
      const told = await callAction(() => tellServers({ project, news }));
      return told.ok ? { ok: true, known: told.value } : { ok: false, again: passing.has(told.code) };
    },
    async runHooks(tried, options = {}) {
      const answer = await askWorker({ project, draft }, { kind: 'hooks', ...tried }, options);
      return answer.ok && answer.kind === 'hooks' ? { ok: true, report: answer.report } : noReport(answer);
    },
    async tryTool(tried, options = {}) {
      const answer = await askWorker({ project, draft }, { kind: 'tool', ...tried }, options);
      return answer.ok && answer.kind === 'tool' ? { ok: true, report: answer.report } : noReport(answer);
    },
    ...approvalServices(project, draft),
    async confirmTrust(hash): Promise<TrustAnswer> {
      const confirmed = await callAction(() => confirm({ project, hash }));
      return confirmed.ok ? { ok: true, trust: confirmed.value } : { ok: false, message: confirmed.message };
    },
  };
}

async function sendTurn(
  project: string,
  draft: string | undefined,
  { again: _, ...input }: RunInput,
): Promise<Started> {
  const sent = await callAction(() => sendMessage({ project, draft: draft ?? 'main', ...input }));
  if (sent.ok) return { ok: true, ...sent.value };
  return { ok: false, message: sent.message, notTrusted: asksFirst.has(sent.code) };
}

const stopped: TaskAnswer = { ok: false, code: 'cancelled', message: 'It was stopped.' };

/** Starts a task and waits for its answer. Does not throw. */
async function askWorker(
  place: { readonly project: string; readonly draft: string | undefined },
  request: EditorRequest,
  { changes = new Map(), signal }: TaskOptions,
): Promise<TaskAnswer> {
  if (signal?.aborted) return stopped;
  const begun = await callAction(() => beginTask({ ...place, request, changes: sentChanges(changes) }));
  if (!begun.ok) return begun;
  const stop = () => void callAction(() => endTask({ task: begun.value }));
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  try {
    return await waitForTask(begun.value, signal);
  } catch (error) {
    if (signal?.aborted) return stopped;
    return { ok: false, code: 'unavailable', message: sentenceOf(error) };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function noReport(answer: TaskAnswer): Reported<never> {
  if (answer.ok) return { ok: false, message: 'The worker answered another question. Try again.' };
  const { code, message, problems } = answer;
  return { ok: false, message, code, notTrusted: asksFirst.has(code), problems };
}

function sentChanges(changes: FileChanges) {
  return [...changes].map(([path, file]) => ({ path, ...savedAs(path, file) }));
}

/** Codes of refusals after which a person is asked: to confirm the list, or to have commands approved. */
const asksFirst: ReadonlySet<string> = new Set(['not_trusted', 'not_approved']);
const kept = 'Your changes are kept here.';
/** Codes of failures after which the same request may succeed later. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'internal']);

/** Makes the answer for a save after somebody else saved. It has their version, so that the editor can show both. */
async function conflict(
  {
    project,
    draft,
    baseVersion,
  }: { readonly project: string; readonly draft: string | undefined; readonly baseVersion: number },
  message: string,
): Promise<SaveOutcome> {
  try {
    return { kind: 'conflict', message, theirs: await readFiles(project, draft, baseVersion) };
  } catch (error) {
    return { kind: 'failed', message: `${message} ${sentenceOf(error)}` };
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  throw error;
}

function savedAs(path: string, file: FolderFile | undefined): { text: string | null } | { hash: string } {
  if (file === undefined) return { text: null };
  if (file.kind === 'binary') throw new Error(`Bug: the editor made bytes for ${path}`);
  return file.kind === 'text' ? { text: file.text } : { hash: file.hash };
}
