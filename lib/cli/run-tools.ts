import { z } from 'zod';
import { type AppTool, appTool, projectInput, read } from './app-tool';

const runId = z.string().regex(/^[\w-]{1,64}$/, 'Give the id of a run.');
const events = z.array(z.looseObject({ seq: z.number(), kind: z.string() }));
/** What tells the course of a run. Others are asked for by their number. */
const courseKinds: ReadonlySet<string> = new Set([
  'run.started',
  'instance.started',
  'instance.ended',
  'model.ended',
  'tool.started',
  'tool.ended',
  'hook.ended',
  'person.asked',
  'person.answered',
  'log',
  'run.finished',
]);

/** Tools that read runs and what they ask. */
export const runTools: readonly AppTool[] = [
  appTool({
    name: 'query_runs',
    description:
      'Lists runs, newest first, in groups of one correlation id. Filters are those of the list of runs: {"status": "failed", "agent": "writer", "tool": "search", "time.after": "24h", "cost.gt": "0.05", "score.lt": "0.5"}.',
    isReadOnly: true,
    input: {
      project: projectInput.optional(),
      filter: z.record(z.string().max(40), z.string().max(300)).optional(),
      limit: z.number().int().min(1).max(100).default(20),
      after: z.string().max(500).optional().describe('`next` of the page before'),
    },
    run: async (client, { project: of, filter = {}, limit, after }) =>
      await read(client, '/api/v1/runs', { ...filter, project: of, limit, after }),
  }),
  appTool({
    name: 'read_run',
    description: 'One run: its state, message, answer, error, cost, time, and the revision or draft it ran.',
    isReadOnly: true,
    input: { run: runId },
    run: async (client, { run }) => await read(client, `/api/v1/runs/${run}`),
  }),
  appTool({
    name: 'read_run_steps',
    description:
      'What happened in a run, in order: instances, model calls, tool calls, hooks, questions. Texts are left out; ask read_run_event for one of them. Repeat with `after` until `next` is null.',
    isReadOnly: true,
    input: {
      run: runId,
      after: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(200),
    },
    async run(client, { run, after, limit }) {
      const found = events.parse(await read(client, `/api/v1/runs/${run}/events`, { view: 'slim', after, limit }));
      const next = found.length < limit ? null : (found.at(-1)?.seq ?? null);
      return { steps: found.filter(({ kind }) => courseKinds.has(kind)), next };
    },
  }),
  appTool({
    name: 'read_run_event',
    description: 'One event of a run with its texts: arguments, result, messages. Long ones are cut.',
    isReadOnly: true,
    input: { run: runId, seq: z.number().int().min(1) },
    run: async (client, { run, seq }) => await read(client, `/api/v1/runs/${run}/events`, { view: 'short', seq }),
  }),
  appTool({
    name: 'search_run',
    description: 'Finds the events of a run whose texts hold a word. Answers their numbers.',
    isReadOnly: true,
    input: { run: runId, text: z.string().min(1).max(200), after: z.number().int().min(0).default(0) },
    run: async (client, { run, text, after }) => await read(client, `/api/v1/runs/${run}/search`, { text, after }),
  }),
  appTool({
    name: 'read_scores',
    description:
      'What people and programs said of a run and of its spans: values from 0 (bad) to 1 (good) and notes. A span is named by the event that opens it.',
    isReadOnly: true,
    input: { run: runId },
    run: async (client, { run }) => await read(client, `/api/v1/runs/${run}/scores`),
  }),
  appTool({
    name: 'list_pending',
    description: 'Open questions of runs to people: approvals and forms. They are answered by people, in the inbox.',
    isReadOnly: true,
    input: { project: projectInput.optional(), run: runId.optional(), after: z.string().max(500).optional() },
    run: async (client, input) => await read(client, '/api/v1/pending', { ...input, limit: 100 }),
  }),
];
