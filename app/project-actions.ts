import { z } from 'zod';
import type { ProjectActions, ProjectCardPage, Upload } from '@/components/projects/project-types';
import type { Issue } from '@/lib/base/issue';

const errorBody = z.object({ error: z.object({ message: z.string() }) });
const unreachable = 'Callboard does not answer. Check that it is running, then try again.';

/** What the Projects page does, over the HTTP API (docs/http-api.md). Every failure is an Error fit to show. */
export const projectActions: ProjectActions = {
  list: ({ text, after }) => {
    const query = new URLSearchParams({ text, ...(after === undefined ? {} : { after }) });
    return call<ProjectCardPage>('GET', `/api/v1/projects?${query}`);
  },
  check: (upload, onProgress) =>
    send<{
      name: string | null;
      files: number;
      cards: { file: string; name: string; type: string }[];
      issues: Issue[];
    }>('/api/v1/check', upload, onProgress),
  create: async (name, upload, onProgress) => {
    const url = `/api/v1/projects?name=${encodeURIComponent(name)}`;
    const { id } = upload
      ? await send<{ id: string }>(url, upload, onProgress)
      : await call<{ id: string }>('POST', '/api/v1/projects', { name, template: 'blank' });
    return id;
  },
  createFromSample: async (sample, name) =>
    (await call<{ id: string }>('POST', `/api/v1/samples/${sample}`, name === undefined ? {} : { name })).id,
  rename: async (id, name) => {
    await call('PATCH', `/api/v1/projects/${id}`, { name });
  },
  duplicate: async (id) => {
    await call('POST', `/api/v1/projects/${id}/copy`);
  },
  remove: async (id) => {
    await call('DELETE', `/api/v1/projects/${id}`);
  },
  exportHref: (id) => `/api/v1/projects/${id}/files?format=zip`,
};

async function call<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  }).catch(() => {
    throw new Error(unreachable);
  });
  const text = await response.text();
  return answer<T>(response.status, text);
}

/** With XMLHttpRequest, since `fetch` cannot tell how much was sent. */
function send<T>(url: string, upload: Upload, onProgress: (part: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => onProgress(1);
    request.onerror = () => reject(new Error(unreachable));
    request.onload = () => {
      try {
        resolve(answer<T>(request.status, request.responseText));
      } catch (error) {
        reject(error);
      }
    };
    if (upload.kind === 'zip') {
      request.setRequestHeader('Content-Type', 'application/zip');
      request.send(upload.file);
      return;
    }
    const form = new FormData();
    form.set('paths', JSON.stringify(upload.source.files.map(({ path }) => path)));
    for (const { path, file } of upload.source.files) form.append('files', file, path.split('/').at(-1));
    request.send(form);
  });
}

function answer<T>(status: number, text: string): T {
  if (status >= 200 && status < 300) return (text === '' ? undefined : JSON.parse(text)) as T;
  throw new Error(refusalOf(text) ?? `The server answered ${status}. Try again.`);
}

function refusalOf(text: string): string | undefined {
  try {
    return errorBody.safeParse(JSON.parse(text)).data?.error.message;
  } catch {
    return undefined;
  }
}
