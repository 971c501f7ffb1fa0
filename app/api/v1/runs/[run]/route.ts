import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { getRun } from '@/lib/server/runs';

export const GET = respond<RunParams>(async (_request, params) => await getRun(runId(params)));
