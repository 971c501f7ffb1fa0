import { z } from 'zod';
import type { SavedVersion } from '@/components/editor/project-store';
import type { EditorServices } from '@/components/editor/services';
import type { ProjectTrust, TrustAnswer } from '@/components/trust/trust-session';
import type { FolderFile } from '@/lib/cards/folder';
import { capabilityKinds } from '@/lib/cards/trust/capability';
import { filesBody, folderOfBody } from './wire-files';

const savedBody = z.object({ version: z.number() });
const startedBody = z.object({ runId: z.string() });
const trustBody: z.ZodType<ProjectTrust> = z.object({
  state: z.enum(['own', 'nothing', 'confirmed', 'unconfirmed']),
  hash: z.string(),
  items: z.array(
    z.object({
      kind: z.enum(capabilityKinds),
      name: z.string(),
      detail: z.string(),
      notes: z.array(z.string()),
      file: z.string(),
      line: z.number(),
      hash: z.string(),
      change: z.enum(['confirmed', 'new', 'changed']),
    }),
  ),
  models: z.array(z.object({ model: z.string(), usedBy: z.string(), file: z.string(), line: z.number() })),
  confirmedAt: z.string().optional(),
});
const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const unreachable = 'Callboard does not answer. Your changes are kept here; check that it is running, then try again.';

/** What the editor asks of the server, over the HTTP API (docs/http-api.md). */
export function editorServices(projectId: string): EditorServices {
  const project = `/api/v1/projects/${encodeURIComponent(projectId)}`;
  return {
    async save(baseVersion, changes) {
      const body = {
        baseVersion,
        changes: [...changes].map(([path, file]) => ({ path, ...savedAs(path, file) })),
      };
      const saved = await call('PATCH', `${project}/files`, savedBody, body);
      if (saved.ok) return { kind: 'saved', version: saved.value.version };
      if (saved.code !== 'conflict') return { kind: 'failed', message: saved.message };
      const theirs = await call('GET', `${project}/files?binary=hash`, filesBody);
      if (!theirs.ok) return { kind: 'failed', message: `${saved.message} ${theirs.message}` };
      return { kind: 'conflict', message: saved.message, theirs: savedVersion(theirs.value) };
    },
    async newerThan(known) {
      const now = await call('GET', project, savedBody);
      if (!now.ok || now.value.version === known) return undefined;
      const files = await call('GET', `${project}/files?binary=hash`, filesBody);
      return files.ok ? savedVersion(files.value) : undefined;
    },
    async startRun(input) {
      const started = await call('POST', `${project}/runs`, startedBody, input);
      if (started.ok) return { ok: true, runId: started.value.runId };
      return { ok: false, message: started.message, notTrusted: started.code === 'not_trusted' };
    },
    async stopRun(runId) {
      const stopped = await call('POST', `/api/v1/runs/${encodeURIComponent(runId)}/stop`, z.unknown());
      return stopped.ok ? undefined : stopped.message;
    },
    async readTrust() {
      return trustAnswer(await call('GET', `${project}/trust`, trustBody));
    },
    async confirmTrust(hash) {
      return trustAnswer(await call('POST', `${project}/trust`, trustBody, { hash }));
    },
  };
}

function trustAnswer(answer: Answer<ProjectTrust>): TrustAnswer {
  return answer.ok ? { ok: true, trust: answer.value } : { ok: false, message: answer.message };
}

function savedVersion(body: z.infer<typeof filesBody>): SavedVersion {
  return { version: body.version, folder: folderOfBody(body) };
}

function savedAs(path: string, file: FolderFile | undefined): { text: string | null } | { hash: string } {
  if (file === undefined) return { text: null };
  if (file.kind === 'binary') throw new Error(`Bug: the editor made bytes for ${path}`);
  return file.kind === 'text' ? { text: file.text } : { hash: file.hash };
}

type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string };

async function call<T>(method: string, url: string, shape: z.ZodType<T>, body?: unknown): Promise<Answer<T>> {
  try {
    const response = await fetch(url, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const text = await response.text();
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    if (response.ok) return { ok: true, value: shape.parse(value) };
    const refusal = errorBody.safeParse(value);
    if (refusal.success) return { ok: false, ...refusal.data.error };
    return { ok: false, code: 'unknown', message: `The server answered ${response.status}. Try again.` };
  } catch {
    // No connection, or an answer that is not ours (a proxy's page): the same to the person in front of it.
    return { ok: false, code: 'unavailable', message: unreachable };
  }
}
