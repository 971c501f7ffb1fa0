import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { assistantOf, messageOf, messagesOf } from '@/lib/interop/spans/reading/read-messages';
import { asText, isObject, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';
import { usageOfSpan } from '@/lib/interop/spans/reading/usage-of-span';
import { type Convention, kindIn } from './convention';
import { observationKinds } from './openinference';

/**
 * The OpenTelemetry exporter of LangSmith. Its own kind says more than `gen_ai.operation.name`, in which templates are chats and retrievers
 * are embeddings. What a run was given and gave back is JSON in `gen_ai.prompt` and `gen_ai.completion`.
 */
export const langSmith: Convention = {
  kind: (_, reader) => kindIn(observationKinds, reader.text('langsmith.span.kind')),
  names: { input: ['gen_ai.prompt'], output: ['gen_ai.completion'] },
  read: ({ reader, kind }) => {
    if (!reader.has('langsmith.span.kind')) return undefined;
    const input = reader.unmarked().value('gen_ai.prompt');
    const output = reader.unmarked().value('gen_ai.completion');
    if (kind === 'model') return modelFields(reader, output);
    if (kind !== 'tool') return outputFields(reader, output);
    if (!isObject(input)) return undefined;
    const given = onlyMember(input, 'input');
    // A printed dictionary is shown as a value; what was recorded stays beside it.
    if (typeof input.input !== 'string' || typeof given === 'string') reader.value('gen_ai.prompt');
    return { arguments: given, output: resultOf(output) };
  },
};

/** A chain that returns one text has it as `output`. */
function outputFields(reader: SpanReader, output: Json | undefined): StepFields | undefined {
  const only = output === undefined ? undefined : onlyMember(output, 'output');
  if (only === output || typeof only !== 'string') return undefined;
  reader.value('gen_ai.completion');
  return { output: only };
}

function modelFields(reader: SpanReader, output: Json | undefined): StepFields {
  const usage = usageOfSpan(reader);
  const given = detailsOf(reader, 'gen_ai.usage.input_token_details');
  const made = detailsOf(reader, 'gen_ai.usage.output_token_details');
  const answers = answersIn(output);
  return {
    ...(answers.length > 0 && { message: assistantOf(answers, undefined) }),
    ...(usage !== undefined && {
      usage: {
        ...usage,
        cachedInputTokens: given('cache_read') ?? usage.cachedInputTokens,
        reasoningTokens: made('reasoning') ?? usage.reasoningTokens,
        ...(given('cache_creation') !== undefined && { cacheWriteTokens: given('cache_creation') }),
      },
    }),
  };
}

/** The answers of LangChain's models are generations, those of OpenAI's client choices. */
function answersIn(output: Json | undefined) {
  if (!isObject(output)) return [];
  const { generations, choices } = output;
  if (Array.isArray(generations)) return generations.flat().flatMap((one) => (isObject(one) ? [messageOf(one)] : []));
  return messagesOf(Array.isArray(choices) ? choices : output);
}

/** Returns the counts of an attribute that has them as JSON or, from Python, as a printed dictionary. It stays visible. */
function detailsOf(reader: SpanReader, key: string): (name: string) => number | undefined {
  const value = reader.unmarked().value(key);
  const read = typeof value === 'string' ? fromPython(value) : value;
  return (name) => {
    const count = isRecord(read) ? read[name] : undefined;
    return typeof count === 'number' ? count : undefined;
  };
}

function fromPython(text: string): Json | undefined {
  return parseJson(text.replaceAll("'", '"'));
}

/** LangChain gives a tool its arguments as the printed dictionary `{"input": "{'city': 'Oslo'}"}`. */
function onlyMember(value: Json, name: string): Json {
  if (!isObject(value) || Object.keys(value).length !== 1) return value;
  const only = value[name];
  if (only === undefined) return value;
  return typeof only === 'string' ? (fromPython(only) ?? only) : only;
}

function resultOf(output: Json | undefined): string | undefined {
  const only = output === undefined ? undefined : onlyMember(output, 'output');
  const [message] = isObject(only) && only.kwargs !== undefined ? [messageOf(only)] : [];
  return message?.results[0]?.text ?? asText(only);
}
