import * as z from 'zod/mini';
import type { KnownServer, KnownServers } from '@/lib/base/known-servers';
import { getJson } from './ask-shape';
import { projectAddress } from './project-address';
import { listingShape } from './tasks';

const prints = z.record(z.string(), z.string());
const known: z.ZodMiniType<KnownServer> = z.object({
  listing: listingShape,
  prints: z.object({ tools: prints, resources: prints, prompts: prints }),
  picked: z.record(
    z.string(),
    z.object({ tools: z.optional(prints), resources: z.optional(prints), prompts: z.optional(prints) }),
  ),
});
const body = z.object({ servers: z.record(z.string(), known) });

/** Reads what is known of the MCP servers of a project from tests of all its editors. */
export async function readKnownServers(project: string): Promise<KnownServers> {
  return (await getJson(`${projectAddress(project)}/servers`, body)).servers;
}
