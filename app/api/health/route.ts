import { respondToAnyone } from '@/app/api/respond';
import { readHealth } from '@/lib/server/health';

/** 200 when web and database answer, 503 when the database does not. No worker is `degraded`, still 200: runs wait. */
export const GET = respondToAnyone(async () => {
  const health = await readHealth();
  return Response.json(health, { status: health.database === 'ok' ? 200 : 503 });
});
