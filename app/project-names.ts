import type { ProjectNames } from '@/components/history/project-names';

/** Requests are loaded when a name is first asked for, because pages with lists of runs rarely do. */
const requests = () => import('@/lib/client/projects');

export const projectNames: ProjectNames = {
  find: async (text) => (await requests()).findProjectNames(text),
  nameOf: async (id) => (await (await requests()).findProject(id))?.name,
};
