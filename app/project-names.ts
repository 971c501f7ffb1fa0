import type { ProjectNames } from '@/components/history/project-names';
import { findProject, findProjectNames } from '@/lib/client/projects';

export const projectNames: ProjectNames = {
  find: findProjectNames,
  nameOf: async (id) => (await findProject(id))?.name,
};
