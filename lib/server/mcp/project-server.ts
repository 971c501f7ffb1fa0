import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type RunId } from '@/lib/base/ids';
import { valueSentence } from '@/lib/base/value-advice';
import { servedAgent } from '@/lib/server/a2a/served-agent';
import { getRun, startRun } from '@/lib/server/runs';
import { callsOfPrograms, type ProgramCall } from './open-calls';
import { followRun, type RunNews, resultOf } from './run-result';

/**
 * A project as an MCP server: its entry agent is a tool, of what is live, or of the draft while nothing is published. A server belongs to one
 * request, because nothing is kept between requests but what the database has.
 */

/** The longest name of a tool that clients accept (specification 2025-11-25, server/tools, Tool Names). */
const longestName = 64;
const resultTool = 'get_run_result';

export interface ServedProject {
  readonly actor: Actor;
  readonly projectId: ProjectId;
  /** The session id that the client sends, by which it cancels its calls. */
  readonly session: string | undefined;
  /** The address of the app, without a slash at the end. */
  readonly base: string;
  /** Aborts when the client goes. The run goes on. */
  readonly signal: AbortSignal;
}

const askedFor = z.strictObject({ message: z.string().min(1), correlation_id: z.string().min(1).max(200).optional() });
const waitedFor = z.strictObject({ run_id: z.string().regex(/^[\w-]{1,64}$/, 'Give the id of a run.') });

/** Throws AppError `not_found` for an unknown project, or one without an agent. */
export async function projectServer(served: ServedProject): Promise<Server> {
  const { actor, projectId } = served;
  const { entry, projectName, version } = await servedAgent(actor, projectId);
  const name = toolName(entry.name);
  const server = new Server(
    { name: projectName, version: String(version) },
    {
      capabilities: { tools: {} },
      instructions: `Runs of the agent '${entry.name}'. A run that waits for a person says so: ask ${resultTool} for its answer later.`,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(name, entry.description) }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { requestId, _meta, signal, sendNotification }) => {
      const { progressToken } = _meta ?? {};
      const end = AbortSignal.any([signal, served.signal]);
      let told = 0;
      const tell = async (message: string) => {
        if (progressToken === undefined) return;
        told += 1;
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress: told, message },
        });
      };
      const call: ProgramCall = { by: actor.by, project: projectId, session: served.session, request: requestId };
      switch (params.name) {
        case name: {
          const { message, correlation_id } = checked(askedFor, params.arguments);
          return await answered(served, end, tell, async () => {
            const { runId } = await startRun(actor, projectId, { message, correlationId: correlation_id });
            return { runId, call };
          });
        }
        case resultTool: {
          const { run_id } = checked(waitedFor, params.arguments);
          return await answered(served, end, tell, async () => {
            const run = await getRun(actor, brandAs<RunId>(run_id), 0);
            if (run.projectId !== projectId) throw new AppError('not_found', 'The project has no such run.');
            return { runId: run.id, call: undefined };
          });
        }
        default:
          throw new McpError(ErrorCode.InvalidParams, `There is no tool '${params.name.slice(0, 100)}'.`);
      }
    },
  );
  return server;
}

/** Follows a run until it ends or waits for people. What a person can correct is a result with an error, as the protocol wants it. */
async function answered(
  { actor, base }: ServedProject,
  signal: AbortSignal,
  tell: (message: string) => Promise<void>,
  find: () => Promise<{ readonly runId: RunId; readonly call: ProgramCall | undefined }>,
): Promise<CallToolResult> {
  try {
    const { runId, call } = await find();
    const forget = call === undefined ? () => undefined : callsOfPrograms.note(call, runId);
    try {
      await tell(`Run ${runId} is queued.`);
      await followRun(actor, runId, signal, async (news: RunNews) => await tell(news));
      return resultOf(await getRun(actor, runId), base);
    } finally {
      forget();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new McpError(
    ErrorCode.InvalidParams,
    `${issue?.path.join('.') || 'arguments'}: ${issue && valueSentence(issue)}`,
  );
}

/** Clients take letters, digits, `_`, `-` and `.` only. */
function toolName(agent: string): string {
  const name = agent.replace(/[^\w.-]/g, '_').slice(0, longestName);
  return name === resultTool ? `${name}_agent` : name;
}

function toolsOf(name: string, description: string | undefined): Tool[] {
  const output: Tool['outputSchema'] = {
    type: 'object',
    properties: {
      run_id: { type: 'string' },
      correlation_id: { type: 'string' },
      status: { type: 'string', enum: ['queued', 'running', 'suspended', 'completed', 'failed', 'cancelled'] },
      url: { type: 'string', description: 'The page of the run' },
      answer: { type: 'string' },
      error: { type: 'string' },
    },
    required: ['run_id', 'correlation_id', 'status', 'url'],
  };
  return [
    {
      name,
      description: description ?? 'Answers a message.',
      inputSchema: {
        type: 'object',
        properties: {
          message: { type: 'string', description: 'What the agent is asked to do' },
          correlation_id: { type: 'string', description: 'Runs with the same id are listed together' },
        },
        required: ['message'],
        additionalProperties: false,
      },
      outputSchema: output,
    },
    {
      name: resultTool,
      description: 'Waits for a run that was started before, and returns its answer.',
      inputSchema: {
        type: 'object',
        properties: { run_id: { type: 'string' } },
        required: ['run_id'],
        additionalProperties: false,
      },
      outputSchema: output,
      annotations: { readOnlyHint: true },
    },
  ];
}
