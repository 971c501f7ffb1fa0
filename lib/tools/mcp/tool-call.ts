import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CreateMessageRequestParamsSchema, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ToolCallContext, ToolDescriptor } from '@/lib/runtime/ports';
import { cancelledResult } from './call-errors';
import type { CallTimer } from './call-timer';
import { answerElicitation, type ElicitationParams } from './elicitation';
import { type InputRequest, type InputRequired, inputRequired } from './modern-messages';
import type { Session } from './open-session';
import type { Question } from './question';
import { answerSampling } from './sampling';
import type { Asking, ServerHelp } from './server-help';
import type { ServerLog } from './server-log';
import { rootsOf } from './server-requests';
import type { ServerSpec } from './server-spec';
import { errorResult, toolResult } from './tool-result';

/** A tool may ask this often before it gives a result. */
const maxRounds = 20;
/** What a server keeps with us must not be larger, in characters. */
const maxState = 256 * 1024;

/** Results are read block by block, so one block that is not known does not spoil them. */
export const anyResult = z.unknown();

/** A question round of a call: what the server asked, and what goes back with the answers. */
interface Round extends InputRequired {
  readonly number: number;
  /** What models answered, by the key of the request. A person may still have to see it. */
  readonly sampled: Readonly<Record<string, string>>;
}

/**
 * Calls a tool. A server of protocol 2026-07-28 may answer with what it needs first; then people are asked, all at once, and the call
 * is made again with the answers:
 *
 *   tools/call ──▶ input_required, state ──▶ kept, people asked ┄ suspended ┄ any worker ──▶ tools/call with answers and state ──▶ …
 *
 * The state is kept outside the log, which people can read. A resumed call begins with the round that was kept. A state that has
 * expired is left out.
 */
export function toolCall(
  spec: ServerSpec,
  log: ServerLog,
  tool: ToolDescriptor,
  args: JsonObject,
  context: ToolCallContext,
): Question {
  const params = callParams(tool, args, context);
  const progress = new CallProgress(spec, log, context);
  return async (session, options) => {
    const { timer, ...request } = options;
    if (!session.isModern) {
      return toolResult(await session.client.request({ method: 'tools/call', params }, anyResult, request));
    }
    await progress.resume();
    for (;;) {
      const given = await progress.answers(timer);
      if (context.signal.aborted) return cancelledResult();
      const result = await callWith(session, { ...params, ...given }, request);
      const needs = inputRequired(result);
      if (needs === undefined) {
        await progress.end();
        return toolResult(result);
      }
      const problem = await progress.next(needs);
      if (problem !== undefined) return errorResult('TOOL_FAILED', problem);
      timer?.restart();
    }
  };
}

/** The parameters of `tools/call`. */
export function callParams(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext) {
  return {
    name: tool.remoteName ?? tool.name,
    arguments: { ...args },
    _meta: { 'callboard/idempotency-key': context.idempotencyKey },
  };
}

/** Asks for a result of any kind, because it may be none yet. */
async function callWith({ client }: Session, params: JsonObject, options: RequestOptions): Promise<unknown> {
  try {
    return await client.request({ method: 'tools/call', params }, anyResult, options);
  } catch (error) {
    if (params.requestState === undefined || !isStaleState(error)) throw error;
    const { requestState: _, ...withoutState } = params;
    return await client.request({ method: 'tools/call', params: withoutState }, anyResult, options);
  }
}

/** Servers keep a state valid for a time, often 600 s. They must take the answers without it. */
function isStaleState(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.InvalidParams && /requestState/i.test(error.message);
}

/** Where a call is in its rounds of questions. Outlives a connection that is lost. */
class CallProgress {
  private round: Round | undefined;
  private given: JsonObject | undefined;
  private isResumed = false;

  constructor(
    private readonly spec: ServerSpec,
    private readonly log: ServerLog,
    private readonly context: ToolCallContext,
  ) {}

  /** Takes up the round in which the run was suspended. */
  async resume(): Promise<void> {
    if (this.isResumed) return;
    this.isResumed = true;
    this.round = readRound(await this.context.kept?.read());
  }

  /** Returns what the next request carries: nothing in the first one, else the answers to the last round and its state. */
  async answers(timer: CallTimer | undefined): Promise<JsonObject> {
    const { round } = this;
    if (round === undefined) return {};
    if (this.given !== undefined) return this.given;
    // The first refusal ends the call. Whatever else is asked then is withdrawn.
    const gone = new AbortController();
    const answered = Object.entries(round.requests).map(
      async ([key, request]): Promise<[string, Json]> => [
        key,
        await this.answer(round, key, request, timer, gone.signal),
      ],
    );
    const entries = await Promise.all(answered).catch((error: unknown) => {
      gone.abort();
      throw error;
    });
    const { state } = round;
    this.given = { inputResponses: Object.fromEntries(entries), ...(state !== undefined && { requestState: state }) };
    return this.given;
  }

  /** Begins another round. Returns a sentence if there cannot be one. */
  async next(needs: InputRequired): Promise<string | undefined> {
    const number = (this.round?.number ?? 0) + 1;
    const server = `Server '${this.spec.name}'`;
    if (number > maxRounds) return `${server} asked ${maxRounds} times and gave no result.`;
    if (Object.keys(needs.requests).length === 0 && needs.state === undefined) {
      return `${server} needs something and does not say what.`;
    }
    const { state } = needs;
    const isTooLong = state !== undefined && state.length > maxState;
    if (isTooLong) this.log.write('warning', 'server_state', `${server} has a state of ${state.length} characters.`);
    this.round = { ...needs, state: isTooLong ? undefined : state, number, sampled: {} };
    this.given = undefined;
    await this.keep();
    return undefined;
  }

  async end(): Promise<void> {
    if (this.round !== undefined) await this.context.kept?.write(undefined);
  }

  private async keep(): Promise<void> {
    const { round, context } = this;
    if (round === undefined || !context.kept) return;
    const { number, requests, state, sampled } = round;
    const value: Json = JSON.parse(JSON.stringify({ number, requests, state, sampled }));
    await context.kept.write(value);
  }

  private async answer(
    round: Round,
    key: string,
    { method, params }: InputRequest,
    timer: CallTimer | undefined,
    signal: AbortSignal,
  ): Promise<Json> {
    const { spec, log, context } = this;
    const help: ServerHelp = {
      ask(asked) {
        const end = context.ask?.(asked);
        if (end === undefined) return undefined;
        timer?.pause();
        return end.finally(() => timer?.goOn());
      },
      sample: (request) => context.sample?.(request),
    };
    const asking = { spec, log, help, waits: false, mark: `${round.number} ${key}`, signal };
    switch (method) {
      case 'elicitation/create':
        return asJson(await answerElicitation(asking, readElicitation(params)));
      case 'sampling/createMessage':
        if (spec.sampling) return asJson(await this.sample(asking, round, key, spec.sampling, params));
        break;
      case 'roots/list':
        return asJson(rootsOf(spec));
    }
    const message = `Server '${spec.name}' asks for '${method}', which is refused.`;
    log.write('warning', 'server_request_refused', message);
    throw new McpError(ErrorCode.InvalidRequest, message);
  }

  private sample(
    asking: Asking,
    round: Round,
    key: string,
    sampling: NonNullable<ServerSpec['sampling']>,
    params: JsonObject,
  ) {
    const known = {
      text: round.sampled[key],
      note: async (text: string) => {
        const { round: now } = this;
        if (now !== undefined) this.round = { ...now, sampled: { ...now.sampled, [key]: text } };
        await this.keep();
      },
    };
    return answerSampling(asking, sampling, CreateMessageRequestParamsSchema.parse(params), known);
  }
}

function readElicitation({ message, mode, url, requestedSchema }: JsonObject): ElicitationParams {
  return {
    message: typeof message === 'string' ? message : '',
    mode: typeof mode === 'string' ? mode : undefined,
    url: typeof url === 'string' ? url : undefined,
    requestedSchema,
  };
}

/** Reads what an earlier execution of the call has kept. */
function readRound(kept: Json | undefined): Round | undefined {
  if (!isRecord(kept) || typeof kept.number !== 'number') return undefined;
  const needs = inputRequired({ resultType: 'input_required', inputRequests: kept.requests, requestState: kept.state });
  const sampled = Object.entries(isRecord(kept.sampled) ? kept.sampled : {}).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  );
  return needs && { ...needs, number: kept.number, sampled: Object.fromEntries(sampled) };
}

function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
