import { z } from 'zod';
import type { ProjectNames } from '@/components/history/project-choice';

const listed = 20;
const namesBody = z.object({
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  total: z.number(),
});
const projectBody = z.object({ name: z.string() });

/** Names of projects, over the HTTP API (docs/http-api.md). */
export const projectNames: ProjectNames = {
  async find(text) {
    const response = await ask(`/api/v1/projects?${new URLSearchParams({ fields: 'name', limit: `${listed}`, text })}`);
    if (!response.ok) throw new Error(`The server answered ${response.status}. Try again.`);
    return namesBody.parse(await response.json());
  },
  async nameOf(id) {
    const response = await ask(`/api/v1/projects/${encodeURIComponent(id)}`);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The server answered ${response.status}. Try again.`);
    return projectBody.parse(await response.json()).name;
  },
};

async function ask(url: string): Promise<Response> {
  return await fetch(url).catch(() => {
    throw new Error('The server cannot be reached.');
  });
}
