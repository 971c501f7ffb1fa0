import { respond } from '@/app/api/respond';
import { listSamples } from '@/lib/server/samples';
import { webEnv } from '@/lib/server/settings/web-env';

export const GET = respond(async () => ({ samples: await listSamples({ python: webEnv().python.enabled }) }));
