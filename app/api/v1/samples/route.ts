import { respond } from '@/app/api/respond';
import { offeredSamples } from '@/lib/server/samples';
import { webEnv } from '@/lib/server/settings/web-env';

export const GET = respond(async (_request, _params, actor) => ({
  samples: await offeredSamples(actor, { python: webEnv().python.enabled }),
}));
