import type { ImportedKind } from '@/lib/interop/log/imported-step';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import type { SpanReader } from './span-reader';

/*
 * What a span is, by the conventions that frameworks use. The first rule that applies decides. docs/traces.md has the same
 * table for readers.
 */

type Rule = (span: ReceivedSpan, reader: SpanReader) => ImportedKind | undefined;

/** Returns the kind of a span, and `unknown` if no convention names it. */
export function kindOfSpan(span: ReceivedSpan, reader: SpanReader): ImportedKind {
  for (const rule of rules) {
    const kind = rule(span, reader);
    if (kind !== undefined) return kind;
  }
  return 'unknown';
}

/** Values of `gen_ai.operation.name`, by the GenAI semantic conventions of OpenTelemetry and what frameworks add. */
const operations: Readonly<Record<string, ImportedKind>> = {
  invoke_agent: 'agent',
  create_agent: 'step',
  invoke_workflow: 'agent',
  workflow: 'agent',
  plan: 'step',
  chat: 'model',
  completion: 'model',
  text_completion: 'model',
  generate_content: 'model',
  responses: 'model',
  response: 'model',
  embeddings: 'model',
  embedding: 'model',
  execute_tool: 'tool',
  retrieval: 'tool',
  search_memory: 'tool',
  update_memory: 'tool',
  create_memory: 'tool',
  delete_memory: 'tool',
  guardrail: 'hook',
  handoff: 'tool',
};

/** `openinference.span.kind` (Arize OpenInference), `langfuse.observation.type` and `mlflow.spanType`, in lower case. */
const observationKinds: Readonly<Record<string, ImportedKind>> = {
  agent: 'agent',
  llm: 'model',
  generation: 'model',
  chat_model: 'model',
  embedding: 'model',
  tool: 'tool',
  retriever: 'tool',
  reranker: 'tool',
  guardrail: 'hook',
  evaluator: 'hook',
  chain: 'step',
  workflow: 'step',
  task: 'step',
  prompt: 'step',
  parser: 'step',
  memory: 'step',
  span: 'step',
  event: 'step',
  unknown: 'step',
};

/** `traceloop.span.kind` (OpenLLMetry). */
const traceloopKinds: Readonly<Record<string, ImportedKind>> = {
  workflow: 'agent',
  agent: 'agent',
  task: 'step',
  tool: 'tool',
};

/** `mastra.span.type`. */
const mastraKinds: Readonly<Record<string, ImportedKind>> = {
  agent_run: 'agent',
  workflow_run: 'agent',
  model_generation: 'model',
  model_step: 'model',
  model_chunk: 'step',
  model_inference: 'model',
  llm_generation: 'model',
  tool_call: 'tool',
  mcp_tool_call: 'tool',
  processor_run: 'hook',
  scorer_run: 'hook',
};

const rules: readonly Rule[] = [
  // Callboard's own export.
  ({ name }) => (name === 'callboard.hook' ? 'hook' : name.startsWith('callboard.setup ') ? 'setup' : undefined),
  ({ name }) => fastAgentKind(name),
  (_, reader) => vercelKind(reader.text('ai.operationId')),
  (_, reader) =>
    oneOf(mastraKinds, reader.text('mastra.span.type')) ?? (reader.has('mastra.span.type') ? 'step' : undefined),
  (_, reader) => oneOf(operations, reader.text('gen_ai.operation.name')),
  (_, reader) => {
    const kind = reader.text(
      'openinference.span.kind',
      'langfuse.observation.type',
      'mlflow.spanType',
      'langsmith.span.kind',
    );
    return oneOf(observationKinds, kind?.replaceAll('"', ''));
  },
  (_, reader) => oneOf(traceloopKinds, reader.text('traceloop.span.kind')),
  (_, reader) =>
    reader.text('mcp.method.name') === 'tools/call' ? 'tool' : reader.has('mcp.method.name') ? 'step' : undefined,
  // OpenLLMetry's instrumentations of model clients have no kind of their own.
  (_, reader) => (reader.has('llm.request.type') ? 'model' : undefined),
  ({ name }) => vercelKind(name),
  (_, reader) => (reader.has('gen_ai.tool.name') || reader.has('gen_ai.tool.call.id') ? 'tool' : undefined),
  (_, reader) => (reader.has('gen_ai.request.model') || reader.has('llm.model_name') ? 'model' : undefined),
  (_, reader) => (reader.has('gen_ai.agent.name') ? 'agent' : undefined),
  (_, reader) => (reader.has('gen_ai.operation.name') ? 'step' : undefined),
  pydanticKind,
  infrastructure,
  // The span around a run of fast-agent has the name of the app and no attributes.
  ({ resource }) => (resource['service.name'] === 'fast-agent' ? 'step' : undefined),
];

/** The names of fast-agent's own spans. They have no attributes that would say it. */
export const fastAgentAgent =
  /^(?:Agent|Chain|Parallel|Routing|Router|EvaluatorOptimizer|Maker|Orchestrator|IterativePlanner|A2A): '(.+)' (\w+)$/;
export const fastAgentTool = /^MCP Tool: (.+)$/;

function fastAgentKind(name: string): ImportedKind | undefined {
  if (fastAgentAgent.test(name)) return 'agent';
  return fastAgentTool.test(name) ? 'tool' : undefined;
}

/** Spans of the Vercel AI SDK: `ai.generateText` wraps the whole loop, and `….doGenerate` is one model call. */
function vercelKind(name: string | undefined): ImportedKind | undefined {
  if (name === undefined || !name.startsWith('ai.')) return undefined;
  if (name.startsWith('ai.toolCall')) return 'tool';
  if (/\.do(?:Generate|Stream|Embed|Rerank)/.test(name)) return 'model';
  return /^ai\.(?:generateText|streamText|generateObject|streamObject|agent)/.test(name) ? 'agent' : 'step';
}

/** Older versions of Pydantic AI name their spans in words. */
function pydanticKind({ name, scope }: ReceivedSpan): ImportedKind | undefined {
  if (!scope.startsWith('pydantic-ai') && !scope.startsWith('pydantic_ai')) return undefined;
  if (name === 'agent run') return 'agent';
  if (name.startsWith('running tool')) return 'tool';
  return name.startsWith('chat ') ? 'model' : 'step';
}

/** Requests and queries of other instrumentations. They are steps of whatever they belong to. */
function infrastructure(_: ReceivedSpan, reader: SpanReader): ImportedKind | undefined {
  const known = ['http.request.method', 'http.method', 'url.full', 'db.system', 'db.system.name', 'rpc.system'];
  return [...known, 'messaging.system', 'faas.trigger'].some((key) => reader.has(key)) ? 'step' : undefined;
}

function oneOf(kinds: Readonly<Record<string, ImportedKind>>, name: string | undefined): ImportedKind | undefined {
  const key = name?.toLowerCase();
  return key !== undefined && Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}
