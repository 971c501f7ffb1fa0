import type { ProjectActions, Upload } from '@/components/projects/project-types';
import { exportHref } from '@/lib/client/project-address';
import { hearReach } from '@/lib/client/reach';
import { unreachable } from '@/lib/client/unreachable';
import type { UploadBody } from '@/lib/client/upload';
import { createBlank, createFromSample, duplicate, remove, rename } from './actions';
import { unwrapAction } from './call-action';

/** The first picture of the page needs no client of the HTTP API. */
const loadClient = () => orUnreachable(import('@/lib/client/projects'));
const loadUpload = () => orUnreachable(import('@/lib/client/upload'));

/** The actions of the Projects page. Each rejects with an Error whose message users may see. */
export const projectActions: ProjectActions = {
  list: async (query) => (await loadClient()).listProjects(query),
  check: async (upload, onProgress) => (await loadUpload()).checkUpload(bodyOf(upload), onProgress),
  create: async (name, upload, onProgress) =>
    upload === undefined
      ? unwrapAction(() => createBlank({ name }))
      : (await loadUpload()).importUpload(name, bodyOf(upload), onProgress),
  createFromSample: (sample, name) => unwrapAction(() => createFromSample({ sample, name })),
  rename: (project, name) => unwrapAction(() => rename({ project, name })),
  duplicate: async (project) => {
    await unwrapAction(() => duplicate({ project }));
  },
  remove: (project) => unwrapAction(() => remove({ project })),
  exportHref,
};

/** A server that is away cannot send the code of a client either. */
async function orUnreachable<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch {
    hearReach(false);
    throw new Error(unreachable);
  }
}

function bodyOf(upload: Upload): UploadBody {
  return upload.kind === 'zip' ? upload : { kind: 'files', files: upload.source.files };
}
