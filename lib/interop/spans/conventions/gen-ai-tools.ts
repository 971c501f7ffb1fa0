import type { Json, JsonObject } from '@/lib/base/json';
import { asText, type SpanReader } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';

/** The names of arguments, with the attributes of the GenAI conventions that say them. */
const argumentNames: Readonly<Record<string, readonly string[]>> = {
  query: ['gen_ai.retrieval.query.text', 'gen_ai.memory.query.text'],
  top_k: ['gen_ai.retrieval.top_k'],
  data_source: ['gen_ai.data_source.id'],
  store: ['gen_ai.memory.store.id'],
  record: ['gen_ai.memory.record.id'],
  skill: ['gen_ai.skill.name'],
  resource: ['gen_ai.skill.resource.name'],
  command: ['process.command_args', 'process.command_line', 'process.executable.name'],
};

/**
 * Reads calls that are no functions: searches of documents and memories, skills that are loaded, commands. What they are asked is in
 * attributes of their own, which are the arguments of a call that records none.
 */
export function genAiToolFields(reader: SpanReader): StepFields {
  const records = reader.unmarked().value('gen_ai.memory.records');
  const isSearch = reader.text('gen_ai.operation.name') === 'search_memory';
  const given = reader.unmarked().factValue('arguments') === undefined ? argumentsOf(reader) : {};
  if (records !== undefined) reader.value('gen_ai.memory.records');
  const all: JsonObject = { ...given, ...(records !== undefined && !isSearch && { records }) };
  return {
    ...(Object.keys(all).length > 0 && { arguments: all }),
    ...(records !== undefined && isSearch && { output: asText(records) }),
  };
}

function argumentsOf(reader: SpanReader): JsonObject {
  const entries = Object.entries(argumentNames).flatMap(([name, keys]): [string, Json][] => {
    const value = reader.value(...keys);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
