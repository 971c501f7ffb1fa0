import type { Json } from '@/lib/base/json';
import { readParts } from '@/lib/interop/spans/reading/message-parts';
import { asText, parsed } from '@/lib/interop/spans/reading/span-reader';
import { type Convention, isScope } from './convention';

/**
 * Strands Agents of AWS. Texts are in events of the spans: `gen_ai.user.message`, `gen_ai.choice` and others, with blocks of
 * Bedrock. Of a tool call, `gen_ai.tool.message` has the arguments and `gen_ai.choice` the result.
 */
export const strands: Convention = {
  source: { key: 'strands', isFrom: isScope(/strands/i) },
  // One turn of an agent: a request to the model and the tools that it asks for.
  isNoise: ({ name }) => name === 'execute_event_loop_cycle',
  read: ({ reader, kind }) => {
    if (kind !== 'tool') return undefined;
    const asked = reader.events.find(({ name }) => name === 'gen_ai.tool.message');
    const answered = reader.events.find(({ name }) => name === 'gen_ai.choice');
    if (asked !== undefined) reader.markRead(asked);
    if (answered !== undefined) reader.markRead(answered);
    const given = asked?.attributes.content ?? undefined;
    return {
      ...(given !== undefined && { arguments: parsed(given) }),
      ...(answered !== undefined && { output: resultText(parsed(answered.attributes.message ?? null)) }),
    };
  },
  failure: (_, reader) =>
    reader.text('tool.status') === 'error' ? { code: 'tool_error', message: 'The tool reports an error.' } : undefined,
};

function resultText(message: Json): string | undefined {
  const { text, isWhole } = readParts(message);
  return isWhole ? text : asText(message);
}
