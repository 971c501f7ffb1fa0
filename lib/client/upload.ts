import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import type { Issue } from '@/lib/base/issue';
import { RequestError } from './ask';
import { readAnswer } from './ask-shape';
import { importReport } from './import-report';
import { hearReach } from './reach';
import { unreachable } from './unreachable';

/** Files with their paths, or one zip. */
export type UploadBody =
  | { readonly kind: 'files'; readonly files: readonly { readonly path: string; readonly file: Blob }[] }
  | { readonly kind: 'zip'; readonly file: Blob };

/** Called with the share that was sent, from 0 to 1. */
type OnProgress = (part: number) => void;

const found = z.object({
  name: z.nullable(z.string()),
  files: z.number(),
  cards: z.array(z.object({ file: z.string(), name: z.string(), type: z.string() })),
  issues: z.array(z.custom<Issue>((value) => issue.safeParse(value).success)),
  report: z.nullable(importReport),
});
const issue = z.looseObject({ code: z.string(), message: z.string(), file: z.string(), line: z.number() });
const made = z.object({ id: z.string() });

/** Asks the server what is in a folder, before it is imported. */
export async function checkUpload(body: UploadBody, onProgress: OnProgress): Promise<z.infer<typeof found>> {
  return await send('/api/v1/check', body, found, onProgress);
}

/** Creates a project of the files and returns its id. */
export async function importUpload(name: string, body: UploadBody, onProgress: OnProgress): Promise<string> {
  return (await send(`/api/v1/projects?name=${encodeURIComponent(name)}`, body, made, onProgress)).id;
}

const imported = z.object({
  runs: z.array(z.string()),
  ignored: z.array(z.string()),
  notes: z.array(z.string()),
});

/** Ids of imported runs, and the files that held none. */
export type ImportedRuns = z.infer<typeof imported>;

/** Stores the runs that files hold. */
export async function importRunFiles(body: UploadBody, onProgress: OnProgress): Promise<ImportedRuns> {
  return await send('/api/v1/imports', body, imported, onProgress);
}

/**
 * Sends the body with XMLHttpRequest, because neither `fetch` nor a server action can tell how much was sent. Rejects with
 * a `RequestError`.
 */
function send<T>(url: string, body: UploadBody, shape: $ZodType<T>, onProgress: OnProgress): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => onProgress(1);
    request.onerror = () => {
      hearReach(false);
      reject(new RequestError(unreachable, 0));
    };
    request.onload = () => {
      try {
        resolve(readAnswer(request.status, request.responseText, shape));
      } catch (error) {
        reject(error);
      }
    };
    if (body.kind === 'zip') {
      request.setRequestHeader('Content-Type', 'application/zip');
      request.send(body.file);
      return;
    }
    const form = new FormData();
    form.set('paths', JSON.stringify(body.files.map(({ path }) => path)));
    for (const { path, file } of body.files) form.append('files', file, path.split('/').at(-1));
    request.send(form);
  });
}
