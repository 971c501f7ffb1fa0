import { noQuery } from '@/app/api/query';
import { respondToAnyone } from '@/app/api/respond';
import { readHealth } from '@/lib/server/health';

/**
 * Answers 200 when web and database answer, and 503 when the database does not. Without a worker the status is `degraded`,
 * but still 200, because runs wait.
 */
export const GET = respondToAnyone(async () => {
  const health = await readHealth();
  return Response.json(health, { status: health.database === 'ok' ? 200 : 503 });
}, noQuery);
