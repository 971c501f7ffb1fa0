import type { Attributes } from '@/lib/interop/otlp/received-span';
import { type Convention, hasAttribute, isScope } from './convention';

/**
 * The OpenAI Agents SDK, by OpenInference. A turn is a request to the model and the tools that it asks for. A task is one run of a
 * runner; its span has the name of the workflow, which is `Agent workflow` unless the program names it. In JavaScript, the program's own
 * spans have data and guardrails are of another kind, so a chain without a value is a turn or a task. In Python it may be each of them;
 * there the root of a trace, which has the name of the workflow too, is said to be an agent. It alone has no system.
 */
export const openAiAgents: Convention = {
  source: {
    key: 'openai-agents',
    isFrom: (span) => isScope(/openai[-_.]agents/i)(span) || hasAttribute('openai.agents.')(span),
  },
  isNoise: ({ name, scope, attributes }) =>
    /openai[-_.]agents/i.test(scope) &&
    (/^(?:turn|task)$/i.test(name) || isTask(name, scope, attributes) || isRootInPython(scope, attributes)),
};

function isTask(name: string, scope: string, attributes: Attributes): boolean {
  const isChain = attributes['openinference.span.kind'] === 'CHAIN';
  return isChain && (name === 'Agent workflow' || (scope.startsWith('@arizeai/') && !hasValue(attributes)));
}

function isRootInPython(scope: string, attributes: Attributes): boolean {
  return (
    scope === 'openinference.instrumentation.openai_agents' &&
    attributes['openinference.span.kind'] === 'AGENT' &&
    attributes['llm.system'] === undefined
  );
}

function hasValue(attributes: Attributes): boolean {
  return attributes['input.value'] !== undefined || attributes['output.value'] !== undefined;
}
