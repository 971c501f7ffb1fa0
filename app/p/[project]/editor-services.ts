import { z } from 'zod';
import type { SavedVersion } from '@/components/editor/project-store';
import type { EditorServices } from '@/components/editor/services';
import type { Folder, FolderFile } from '@/lib/cards/folder';

/** `null`: not text. The bytes of such files stay on the server; the editor lists them and may remove them. */
export interface WireFile {
  readonly path: string;
  readonly text: string | null;
}

export function folderOfFiles(files: readonly WireFile[]): Folder {
  return new Map(files.map(({ path, text }) => [path, fileOf(text)]));
}

const savedBody = z.object({ version: z.number() });
const startedBody = z.object({ runId: z.string() });
const filesBody = z.object({ version: z.number(), files: z.record(z.string(), z.unknown()) });
const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const unreachable = 'Callboard does not answer. Your changes are kept here; check that it is running, then try again.';

/** What the editor asks of the server, over the HTTP API (docs/http-api.md). */
export function editorServices(projectId: string): EditorServices {
  const project = `/api/v1/projects/${encodeURIComponent(projectId)}`;
  return {
    async save(baseVersion, changes) {
      const body = {
        baseVersion,
        changes: [...changes].map(([path, file]) => ({ path, text: file?.kind === 'text' ? file.text : null })),
      };
      const saved = await call('PATCH', `${project}/files`, savedBody, body);
      if (saved.ok) return { kind: 'saved', version: saved.value.version };
      if (saved.code !== 'conflict') return { kind: 'failed', message: saved.message };
      const theirs = await call('GET', `${project}/files`, filesBody);
      if (!theirs.ok) return { kind: 'failed', message: `${saved.message} ${theirs.message}` };
      return { kind: 'conflict', message: saved.message, theirs: savedVersion(theirs.value) };
    },
    async newerThan(known) {
      const now = await call('GET', project, savedBody);
      if (!now.ok || now.value.version === known) return undefined;
      const files = await call('GET', `${project}/files`, filesBody);
      return files.ok ? savedVersion(files.value) : undefined;
    },
    async startRun(input) {
      const started = await call('POST', `${project}/runs`, startedBody, input);
      return started.ok ? { ok: true, runId: started.value.runId } : { ok: false, message: started.message };
    },
    async stopRun(runId) {
      const stopped = await call('POST', `/api/v1/runs/${encodeURIComponent(runId)}/stop`, z.unknown());
      return stopped.ok ? undefined : stopped.message;
    },
  };
}

function savedVersion({ version, files }: z.infer<typeof filesBody>): SavedVersion {
  const wire = Object.entries(files).map(([path, text]) => ({ path, text: typeof text === 'string' ? text : null }));
  return { version, folder: folderOfFiles(wire) };
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

const notText: FolderFile = { kind: 'binary', bytes: new Uint8Array() };

function fileOf(text: string | null): FolderFile {
  return text === null ? notText : { kind: 'text', text };
}
