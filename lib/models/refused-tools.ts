import type { JsonObject } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { LogBody, ModelControl, ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';

/** A request is made again at most this often, each time without one more tool. */
const maxRefusedTools = 20;

/** The models that have refused a tool, by its schema. All runs of the process share it. */
const refusing = new WeakMap<JsonObject, Map<string, string>>();
interface Rest {
  /** `undefined` if another tool was refused meanwhile. */
  tools: readonly ToolDescriptor[] | undefined;
  /** The names of the tools whose absence was logged. */
  readonly told: Set<string>;
}

/** What is left of a list of tools, by model. Requests with the same list get the same answer, so it is serialised once. */
const left = new WeakMap<readonly ToolDescriptor[], Map<string, Rest>>();

interface Refusal {
  readonly message: string;
  readonly refusesTool?: RefusedTool;
}

interface Asked {
  readonly request: ModelRequest;
  readonly endpoint: Endpoint;
  readonly control: Pick<ModelControl, 'log' | 'signal'>;
  /** Hides the key in a message. */
  readonly redact: (text: string) => string;
  /** Returns the names of tools that are others in the request. */
  readonly wireNames: (tools: readonly ToolDescriptor[]) => ReadonlyMap<string, string>;
}

/** Makes an attempt with `send`. A server that refuses a tool is asked again without that tool, now and from now on. */
export async function withTakenTools<A extends { readonly ok: true }, F extends Refusal>(
  { request, endpoint, control, redact, wireNames }: Asked,
  send: (request: ModelRequest) => Promise<A | { readonly ok: false; readonly fault: F }>,
) {
  for (let refused = 0; ; refused += 1) {
    const tools = takenTools(request, endpoint, (body) => control.log(body));
    const attempt = await send(tools === request.tools ? request : { ...request, tools });
    if (attempt.ok || refused === maxRefusedTools || control.signal.aborted) return attempt;
    const tool = findRefused(tools, attempt.fault.refusesTool, wireNames(tools));
    if (tool === undefined) return attempt;
    noteRefusedTool(request, tool, endpoint, redact(attempt.fault.message));
  }
}

/**
 * Returns the tools of a request that the model has not refused. Logs each tool that is left out, once for each list of
 * tools, so every agent of every run says so.
 */
function takenTools(
  { tools }: ModelRequest,
  endpoint: Endpoint,
  log: (body: LogBody) => void,
): readonly ToolDescriptor[] {
  const key = keyOf(endpoint);
  const rest = restOf(tools, key);
  if (rest.tools !== undefined) return rest.tools;
  const taken = tools.filter((tool) => {
    const words = refusing.get(tool.inputSchema)?.get(`${key} ${tool.name}`);
    if (words === undefined) return true;
    if (!rest.told.has(tool.name)) log(leftOut(tool, words));
    rest.told.add(tool.name);
    return false;
  });
  rest.tools = taken.length === tools.length ? tools : taken;
  return rest.tools;
}

/** Remembers that the model refuses a tool, for as long as its schema stays the same. `words` are those of the provider. */
function noteRefusedTool({ tools }: ModelRequest, tool: ToolDescriptor, endpoint: Endpoint, words: string): void {
  const key = keyOf(endpoint);
  const models = refusing.get(tool.inputSchema) ?? new Map<string, string>();
  refusing.set(tool.inputSchema, models.set(`${key} ${tool.name}`, words));
  restOf(tools, key).tools = undefined;
}

function restOf(tools: readonly ToolDescriptor[], key: string): Rest {
  const models = left.get(tools) ?? new Map<string, Rest>();
  left.set(tools, models);
  const rest = models.get(key) ?? { tools: undefined, told: new Set() };
  models.set(key, rest);
  return rest;
}

/** Where a provider says that the definition of one tool is wrong: its name in the request, or its place among the tools. */
export type RefusedTool = { readonly name: string } | { readonly index: number };

/**
 * Reads which tool a refusal is about; `undefined` if it is about something else. OpenAI and most others name the function
 * (`Invalid schema for function 'x'`), Google its place (`function_declarations[3]`), Anthropic and Mistral a path (`tools.3.…`).
 */
export function refusedTool(words: string): RefusedTool | undefined {
  const name = /\bschema\b.{0,40}?\b(?:function|tool) ['"`]?([\w.-]+)/i.exec(words)?.[1];
  if (name !== undefined) return { name: name.replace(/\.+$/, '') };
  const declared = /\bfunction_?declarations\[(\d+)\]/i.exec(words)?.[1];
  const index = declared ?? /\btools(?:\[(\d+)\]|\.(\d+)\.)/.exec(words)?.slice(1).find(Boolean);
  return index === undefined ? undefined : { index: Number(index) };
}

/** Finds the refused tool among the tools of a request. `toWire` has the names that differ in the request. */
function findRefused(
  tools: readonly ToolDescriptor[],
  refused: RefusedTool | undefined,
  toWire: ReadonlyMap<string, string>,
): ToolDescriptor | undefined {
  if (refused === undefined) return undefined;
  if ('index' in refused) return tools[refused.index];
  return tools.find(({ name }) => (toWire.get(name) ?? name) === refused.name);
}

function leftOut(tool: ToolDescriptor, words: string): LogBody {
  const { name, serverName, remoteName = name } = tool;
  const owner = serverName === undefined ? '' : ` of server '${serverName}'`;
  const next =
    serverName === undefined
      ? 'Correct the parameters of the tool.'
      : `Have the schema corrected at the server, or offer other tools alone: under 'tools' of the card, list the tools of '${serverName}' that are wanted.`;
  const message = `Tool '${remoteName}'${owner} is not offered, because the model's provider refuses it: ${words} ${next}`;
  return { level: 'warning', code: 'tool_refused', message, ...(serverName !== undefined && { serverName }) };
}

function keyOf({ address, model }: Endpoint): string {
  return `${address} ${model.name}`;
}
