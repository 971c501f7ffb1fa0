import { respond } from '@/app/api/respond';
import { listSamples } from '@/lib/server/samples';

export const GET = respond(async () => ({ samples: await listSamples() }));
