import { z } from 'zod';
import { respond } from '@/app/api/respond';
import { respondUnlessSame } from '@/app/api/respond-unless-same';
import { dashboardQuery } from '@/app/dashboard-query';
import { groupTable, timeTable } from '@/app/dashboard-table';
import { readDashboard } from '@/lib/server/dashboard';

const query = dashboardQuery.extend({ csv: z.enum(['time', 'groups'], 'One of time, groups.').optional() });

/** Figures of the runs that have ended in a range, over time and by agent, model, tool, project or revision: JSON, or a table of one of both as CSV. */
export const GET = respond(query, async (request, _params, actor, { csv, ...asked }) => {
  const dashboard = await readDashboard(actor, asked, Date.now());
  if (csv === undefined) return respondUnlessSame(request, dashboard);
  const name = csv === 'time' ? `runs-${asked.range}` : `runs-${asked.range}-by-${asked.by}`;
  return new Response(csv === 'time' ? timeTable(dashboard) : groupTable(dashboard), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
});
