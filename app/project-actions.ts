import type { ProjectActions, Upload } from '@/components/projects/project-types';
import { exportHref, listProjects } from '@/lib/client/projects';
import { checkUpload, importUpload, type UploadBody } from '@/lib/client/upload';
import { createBlank, createFromSample, duplicate, remove, rename } from './actions';
import { unwrapAction } from './call-action';

/** The actions of the Projects page. Each rejects with an Error whose message users may see. */
export const projectActions: ProjectActions = {
  list: listProjects,
  check: (upload, onProgress) => checkUpload(bodyOf(upload), onProgress),
  create: (name, upload, onProgress) =>
    upload === undefined ? unwrapAction(() => createBlank({ name })) : importUpload(name, bodyOf(upload), onProgress),
  createFromSample: (sample, name) => unwrapAction(() => createFromSample({ sample, name })),
  rename: (project, name) => unwrapAction(() => rename({ project, name })),
  duplicate: async (project) => {
    await unwrapAction(() => duplicate({ project }));
  },
  remove: (project) => unwrapAction(() => remove({ project })),
  exportHref,
};

function bodyOf(upload: Upload): UploadBody {
  return upload.kind === 'zip' ? upload : { kind: 'files', files: upload.source.files };
}
