import type { JsonObject } from '@/lib/base/json';
import { assistantOf, messageOf, messagesOf } from '@/lib/interop/spans/reading/read-messages';
import { requestFields } from '@/lib/interop/spans/reading/request-fields';
import { asText, isObject, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';
import { usageInJson } from '@/lib/interop/spans/reading/usage-of-span';
import { type Convention, hasAttribute } from './convention';

/** Google's Agent Development Kit. Requests and answers of models are JSON of the Gemini API. */
export const googleAdk: Convention = {
  source: {
    key: 'google-adk',
    isFrom: (span) => /gcp\.vertex\.agent|google.adk/.test(span.scope) || hasAttribute('gcp.vertex.agent.')(span),
  },
  names: {
    arguments: ['gcp.vertex.agent.tool_call_args'],
    result: ['gcp.vertex.agent.tool_response'],
  },
  // The span around a whole invocation has nothing but its name.
  isNoise: ({ name, scope }) => name === 'invocation' && scope === 'gcp.vertex.agent',
  read: ({ reader, kind }) => (kind === 'model' ? modelCall(reader) : undefined),
};

const requestKey = 'gcp.vertex.agent.llm_request';
const responseKey = 'gcp.vertex.agent.llm_response';

function modelCall(reader: SpanReader): StepFields {
  const request = reader.unmarked().value(requestKey);
  const response = reader.value(responseKey);
  if (isObject(request) && messagesOf(request.contents).every(({ isWhole }) => isWhole)) reader.value(requestKey);
  return { ...(isObject(request) && requestOf(request)), ...(isObject(response) && answerOf(response)) };
}

function requestOf({ contents, config, model: _, ...others }: JsonObject): StepFields {
  const { system_instruction: instruction, tools, ...params } = isObject(config) ? config : {};
  return requestFields({
    messages: messagesOf(contents),
    instruction,
    tools: Array.isArray(tools) ? tools : [],
    params: { ...params, ...others },
  });
}

function answerOf({ content, finish_reason: finish, ...others }: JsonObject): StepFields {
  const said = isObject(content) ? messageOf(content) : undefined;
  // The attributes of the span have the same counts without those of the cache.
  const usage = usageInJson(others.usage_metadata ?? others.usageMetadata);
  const left = { ...others, ...(said?.isWhole === false && isObject(content) && { content }) };
  return {
    ...(said !== undefined && { message: assistantOf([said], asText(finish)) }),
    ...(usage !== undefined && { usage }),
    ...(Object.keys(left).length > 0 && { rest: { [responseKey]: left } }),
  };
}
