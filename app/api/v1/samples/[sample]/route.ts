import { z } from 'zod';
import { isFromBrowser } from '@/app/api/brought-by';
import { checkJson, readBytes } from '@/app/api/read-body';
import { projectName } from '@/app/api/read-import';
import { respond } from '@/app/api/respond';
import { createProject } from '@/lib/server/projects';
import { sampleTrust } from '@/lib/server/sample-trust';
import { readSample } from '@/lib/server/samples';

/** Creates a project from one of the samples. */
export const POST = respond<{ sample: string }>(async (request, { sample }, actor) => {
  const bytes = await readBytes(request);
  const { name } = bytes.length === 0 ? {} : checkJson(bytes, z.strictObject({ name: projectName.optional() }));
  const { title, folder } = await readSample(sample);
  const { id } = await createProject(actor, {
    name: name ?? title,
    folder,
    trust: isFromBrowser(request) ? sampleTrust(folder) : { origin: 'api' },
  });
  return Response.json({ id }, { status: 201, headers: { Location: `/api/v1/projects/${id}` } });
});
