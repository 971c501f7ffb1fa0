import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord, type JsonObject, parseJson } from '@/lib/base/json';

/** A received chat completions request. */
export interface FakeRequest {
  /** Counts requests from 1, in order of arrival. */
  readonly number: number;
  readonly model: string;
  readonly messages: readonly FakeMessage[];
  readonly tools: readonly FakeToolDefinition[];
  readonly stream: boolean;
  /** The `response_format`, if there is one. It has been checked. */
  readonly format: FakeFormat | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeMessage {
  readonly role: string;
  readonly text: string;
  readonly toolCalls: number;
  /** The whole body. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface FakeToolDefinition {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface FakeFormat {
  readonly type: string;
  /** Of a JSON schema. */
  readonly name?: string;
  readonly strict?: boolean;
  readonly schema?: Readonly<Record<string, unknown>>;
}

export interface FakeUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens?: number;
  readonly reasoning_tokens?: number;
}

/** A piece of a streamed answer. A tool call is named in its first piece. */
export type FakePiece =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly call: number; readonly name?: string; readonly arguments: string };

export interface FakeReply {
  readonly text?: string;
  /** Pieces to stream as they come, in place of a whole answer. */
  readonly pieces?: AsyncIterable<FakePiece>;
  readonly reasoning?: string;
  /** Arguments given as text are sent unchanged, even if they are not JSON. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject | string }[];
  readonly finishReason?: string;
  /** The reported usage; by default a quarter of the characters in and out. */
  readonly usage?: FakeUsage;
  readonly delayMs?: number;
  /** A status other than 200 sends `text` (or `raw`) as an error. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection after this number of chunks. */
  readonly cutAfter?: number;
  /** Ends the stream normally, but after this number of chunks. */
  readonly endAfter?: number;
  /** Answers plain JSON although the request asked for a stream. */
  readonly plain?: boolean;
  /** The body, instead of a completion. */
  readonly raw?: string;
  /** Sends the body in slices of this number of bytes. */
  readonly sliceBytes?: number;
}

export interface FakeOpenAI {
  /** The base URL, including `/v1`. */
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** The totals of completed answers. */
  readonly totals: { readonly requests: number; readonly promptTokens: number; readonly completionTokens: number };
  close(): Promise<void>;
}

export interface FakeOpenAIOptions {
  respond(request: FakeRequest): FakeReply | Promise<FakeReply>;
  /** The key that it takes; by default it takes any. With a key it lists two models too. */
  readonly key?: () => string;
  /** The port; by default a free one. */
  readonly port?: number;
  /** Keeps requests for inspection. It is true by default, and off for long benchmarks. */
  readonly record?: boolean;
}

/**
 * Starts a real HTTP server on loopback for chat completions, streamed and plain. Every response and tool call has a unique
 * id. A malformed `response_format` is refused as api.openai.com refuses it. `GET /stats` returns the totals.
 */
export async function startFakeOpenAI(options: FakeOpenAIOptions): Promise<FakeOpenAI> {
  const requests: FakeRequest[] = [];
  const totals = { requests: 0, promptTokens: 0, completionTokens: 0 };
  let received = 0;

  const server = http.createServer((incoming, outgoing) => {
    if (incoming.method === 'GET' && incoming.url === '/stats') {
      outgoing.end(JSON.stringify(totals));
      return;
    }
    if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key()}`) {
      outgoing.writeHead(401, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: { message: `Incorrect API key: ${incoming.headers.authorization}` } }));
      return;
    }
    if (options.key !== undefined && incoming.method === 'GET' && incoming.url === '/v1/models') {
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ object: 'list', data: [{ id: 'fake-large' }, { id: 'fake-small' }] }));
      return;
    }
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      void answer(Buffer.concat(parts).toString('utf8'), incoming, outgoing).catch((error: unknown) => {
        outgoing.writeHead(599).end(String(error));
      });
    });
  });

  async function answer(text: string, incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
      outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such path"}}');
      return;
    }
    received += 1;
    const request = readRequest(text, received, incoming.headers);
    if (options.record !== false) requests.push(request);
    const problem = formatProblem(request);
    if (problem !== undefined) return refuseFormat(problem, outgoing);
    const reply = await options.respond(request);
    if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    if (outgoing.destroyed) return;
    const { status = 200 } = reply;
    if (status !== 200) {
      const body = reply.raw ?? JSON.stringify({ error: { message: reply.text ?? `status ${status}`, type: 'error' } });
      outgoing.writeHead(status, { 'content-type': 'application/json', ...reply.headers }).end(body);
      return;
    }
    if (reply.pieces !== undefined) {
      await streamPieces(request, reply.pieces, outgoing);
      totals.requests += 1;
      return;
    }
    const usage = reply.usage ?? estimate(text, reply);
    if (!(await sendCompletion(request, reply, usage, outgoing))) return;
    totals.requests += 1;
    totals.promptTokens += usage.prompt_tokens;
    totals.completionTokens += usage.completion_tokens;
  }

  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = addressOf(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    totals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuseFormat(problem: string, outgoing: http.ServerResponse): void {
  const error = { message: `Invalid value of 'response_format': ${problem}.`, param: 'response_format', code: null };
  outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

/** Sends a completion, or as much of it as the reply says. Returns true if all of it was sent. */
async function sendCompletion(
  request: FakeRequest,
  reply: FakeReply,
  usage: FakeUsage,
  outgoing: http.ServerResponse,
): Promise<boolean> {
  const streamed = request.stream && reply.plain !== true && reply.raw === undefined;
  const chunks = streamed ? streamChunks(request, reply, usage) : [reply.raw ?? completion(request, reply, usage)];
  const sent = reply.cutAfter ?? reply.endAfter;
  outgoing.writeHead(200, {
    'content-type': streamed ? 'text/event-stream' : 'application/json',
    ...reply.headers,
  });
  await write(outgoing, chunks.slice(0, sent).join(''), reply.sliceBytes);
  if (reply.cutAfter === undefined) {
    outgoing.end();
    return sent === undefined;
  }
  await new Promise((resolve) => setImmediate(resolve));
  outgoing.destroy();
  return false;
}

function addressOf(server: http.Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address;
}

function readRequest(text: string, number: number, headers: http.IncomingHttpHeaders): FakeRequest {
  const parsed: unknown = parseJson(text);
  const body = isRecord(parsed) ? parsed : {};
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const tools = Array.isArray(body.tools) ? body.tools : [];
  return {
    number,
    model: String(body.model ?? ''),
    messages: messages.filter(isRecord).map((raw) => ({
      role: String(raw.role),
      text: typeof raw.content === 'string' ? raw.content : JSON.stringify(raw.content ?? ''),
      toolCalls: Array.isArray(raw.tool_calls) ? raw.tool_calls.length : 0,
      raw,
    })),
    tools: tools.filter(isRecord).flatMap(({ function: definition }) =>
      isRecord(definition)
        ? [
            {
              name: String(definition.name),
              parameters: isRecord(definition.parameters) ? definition.parameters : {},
            },
          ]
        : [],
    ),
    stream: body.stream === true,
    format: readFormat(body.response_format),
    headers,
    body,
  };
}

function readFormat(given: unknown): FakeFormat | undefined {
  if (given === undefined) return undefined;
  const { type, json_schema: inner } = isRecord(given) ? given : {};
  const { name, strict, schema } = isRecord(inner) ? inner : {};
  return {
    type: String(type),
    ...(typeof name === 'string' && { name }),
    ...(typeof strict === 'boolean' && { strict }),
    ...(isRecord(schema) && { schema }),
  };
}

/** Returns why the API refuses a response format. Source: platform.openai.com/docs/guides/structured-outputs. */
function formatProblem({ format, messages }: FakeRequest): string | undefined {
  if (format === undefined) return undefined;
  if (format.type === 'json_object') {
    return messages.some(({ text }) => /json/i.test(text)) ? undefined : "no message has the word 'json'";
  }
  if (format.type !== 'json_schema') return `the type '${format.type}'`;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(format.name ?? '')) return `the name '${format.name}'`;
  if (format.schema?.type !== 'object') return 'the schema is not of an object';
  return format.strict === true && !isClosed(format.schema) ? 'the strict schema leaves something open' : undefined;
}

function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (!isRecord(schema)) return true;
  const { type, properties, required, additionalProperties } = schema;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const isOpen =
    additionalProperties !== false || names.some((name) => !Array.isArray(required) || !required.includes(name));
  if (type === 'object' && isOpen) return false;
  return Object.values(schema).every(isClosed);
}

function wireCalls(request: FakeRequest, reply: FakeReply) {
  return (reply.toolCalls ?? []).map((call, index) => ({
    index,
    id: `call_${request.number}_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
}

function finishReason(reply: FakeReply): string {
  return reply.finishReason ?? (reply.toolCalls === undefined || reply.toolCalls.length === 0 ? 'stop' : 'tool_calls');
}

function wireUsage(usage: FakeUsage) {
  return {
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.prompt_tokens + usage.completion_tokens,
    prompt_tokens_details: { cached_tokens: usage.cached_tokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
  };
}

function completion(request: FakeRequest, reply: FakeReply, usage: FakeUsage): string {
  const toolCalls = wireCalls(request, reply);
  return JSON.stringify({
    id: `chatcmpl-${request.number}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        finish_reason: finishReason(reply),
      },
    ],
    usage: wireUsage(usage),
  });
}

/**
 * Yields chunks as api.openai.com does: text in a few pieces, each tool call's arguments in two, the finish, the usage,
 * `[DONE]`.
 */
function streamChunks(request: FakeRequest, reply: FakeReply, usage: FakeUsage): string[] {
  const { chunk, choice } = chunksOf(request);
  const chunks = [choice({ role: 'assistant', content: '' })];
  if (reply.reasoning !== undefined) chunks.push(choice({ reasoning_content: reply.reasoning }));
  const { text = '' } = reply;
  const size = Math.max(8, Math.ceil(text.length / 8));
  for (let from = 0; from < text.length; from += size) chunks.push(choice({ content: text.slice(from, from + size) }));
  for (const call of wireCalls(request, reply)) {
    const { name, arguments: args } = call.function;
    const half = Math.floor(args.length / 2);
    chunks.push(choice({ tool_calls: [{ ...call, function: { name, arguments: args.slice(0, half) } }] }));
    chunks.push(choice({ tool_calls: [{ index: call.index, function: { arguments: args.slice(half) } }] }));
  }
  chunks.push(choice({}, finishReason(reply)), chunk({ choices: [], usage: wireUsage(usage) }), 'data: [DONE]\n\n');
  return chunks;
}

function chunksOf(request: FakeRequest) {
  const head = { id: `chatcmpl-${request.number}`, object: 'chat.completion.chunk', created: 0, model: request.model };
  const chunk = (rest: object) => `data: ${JSON.stringify({ ...head, ...rest })}\n\n`;
  const choice = (delta: object, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finish }], usage: null });
  return { chunk, choice };
}

async function streamPieces(
  request: FakeRequest,
  pieces: AsyncIterable<FakePiece>,
  outgoing: http.ServerResponse,
): Promise<void> {
  const { chunk, choice } = chunksOf(request);
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  outgoing.write(choice({ role: 'assistant', content: '' }));
  let hasCalls = false;
  for await (const piece of pieces) {
    if (outgoing.destroyed) return;
    hasCalls ||= 'call' in piece;
    outgoing.write(choice(wireDelta(request, piece)));
  }
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const last = chunk({ choices: [], usage: wireUsage(usage) });
  outgoing.end(`${choice({}, hasCalls ? 'tool_calls' : 'stop')}${last}data: [DONE]\n\n`);
}

function wireDelta(request: FakeRequest, piece: FakePiece): object {
  if ('text' in piece) return { content: piece.text };
  if ('reasoning' in piece) return { reasoning_content: piece.reasoning };
  const { call: index, name, arguments: args } = piece;
  const first = name !== undefined && { id: `call_${request.number}_${index}`, type: 'function' };
  return { tool_calls: [{ index, ...first, function: { ...(name !== undefined && { name }), arguments: args } }] };
}

function estimate(sent: string, reply: FakeReply): FakeUsage {
  const out = (reply.text ?? '').length + JSON.stringify(reply.toolCalls ?? '').length;
  return { prompt_tokens: Math.ceil(sent.length / 4), completion_tokens: Math.ceil(out / 4) };
}

async function write(outgoing: http.ServerResponse, text: string, sliceBytes: number | undefined): Promise<void> {
  if (sliceBytes === undefined) {
    outgoing.write(text);
    return;
  }
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    outgoing.write(bytes.subarray(from, from + sliceBytes));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
