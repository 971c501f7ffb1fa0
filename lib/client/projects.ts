import * as z from 'zod/mini';
import type { Issue } from '@/lib/base/issue';
import { capabilityKinds } from '@/lib/cards/trust/capability';
import { commandKinds } from '@/lib/cards/trust/command';
import type { Sketch } from '@/lib/graph/thumbnail';
import { RequestError } from './ask';
import { getJson } from './ask-shape';
import { projectAddress, queryOfDraft } from './project-address';
import type { ProjectCardData, ProjectCardPage } from './project-page';
import type { ProjectTrust } from './project-trust';

const base = '/api/v1/projects';

const outline = z.looseObject({
  id: z.string(),
  name: z.string(),
  updatedAt: z.string(),
  rights: z.array(z.string()),
  state: z.enum(['read', 'reading', 'unreadable']),
  sketch: z.optional(z.custom<Sketch>()),
  issue: z.optional(z.custom<Issue>()),
});
const cardPage: z.ZodMiniType<ProjectCardPage> = z.object({
  projects: z.array(z.custom<ProjectCardData>((value) => outline.safeParse(value).success)),
  next: z.nullable(z.string()),
  total: z.number(),
});

/** Returns a page of the projects whose names contain `text`. */
export async function listProjects(query: {
  readonly text: string;
  readonly after: string | undefined;
}): Promise<ProjectCardPage> {
  const { text, after } = query;
  return await getJson(`${base}?${new URLSearchParams({ text, ...(after === undefined ? {} : { after }) })}`, cardPage);
}

const mostNames = 20;
const names = z.object({ projects: z.array(z.object({ id: z.string(), name: z.string() })), total: z.number() });

/** Returns the first projects whose names contain `text`, and how many there are. */
export async function findProjectNames(text: string): Promise<z.infer<typeof names>> {
  return await getJson(`${base}?${new URLSearchParams({ fields: 'name', limit: `${mostNames}`, text })}`, names);
}

const project = z.object({ name: z.string(), version: z.number() });

/** Finds a project, with the version of a draft. Returns `undefined` if there is no such project or draft. */
export async function findProject(id: string, draft?: string): Promise<z.infer<typeof project> | undefined> {
  try {
    return await getJson(`${projectAddress(id)}${queryOfDraft(draft)}`, project);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined;
    throw error;
  }
}

const trust: z.ZodMiniType<ProjectTrust> = z.object({
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
  commands: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(commandKinds),
      name: z.string(),
      command: z.string(),
      args: z.array(z.string()),
      environment: z.array(z.string()),
      usedBy: z.array(z.string()),
      status: z.enum(['new', 'asked', 'approved', 'denied', 'revoked']),
      note: z.string(),
      by: z.optional(z.string()),
      warnings: z.array(z.string()),
    }),
  ),
  mayApprove: z.boolean(),
  confirmedAt: z.optional(z.string()),
});

/**
 * Returns what runs of a draft, `main` by default, would start or call, and whether somebody has confirmed that. `files` are others, as a
 * refused start names them.
 */
export async function readTrust(id: string, draft?: string, files?: string): Promise<ProjectTrust> {
  const query = files === undefined ? queryOfDraft(draft) : `?files=${encodeURIComponent(files)}`;
  return await getJson(`${projectAddress(id)}/trust${query}`, trust);
}
