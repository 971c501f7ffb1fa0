import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { readRunPicture } from '@/lib/server/tree-readings';

/** Answers the graph that the run was started with (lib/graph/picture.ts), with the places of the canvas. */
export const GET = respond<RunParams>(async (_request, params, actor) => await readRunPicture(actor, runId(params)));
