import { brandAs, type CallId } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import { redactJson, secretKeys } from '@/lib/base/redact';
import type { Message } from '@/lib/runtime/record/messages';
import { readParts } from './message-parts';
import { assistantOf, type ReadMessage } from './read-messages';
import { asText, isObject, parsed } from './span-reader';
import type { StepFields } from './step-fields';

/** What a model call was sent, as a source has it. */
export interface Asked {
  readonly messages: readonly ReadMessage[];
  /** Text, parts, or an object with parts. */
  readonly instruction?: Json | undefined;
  /** Definitions in the form of any provider. */
  readonly tools?: readonly Json[] | undefined;
  readonly params?: JsonObject | undefined;
}

const isSecret = secretKeys();

/** Returns the request of a model call, and what the step says about it. Values of parameters with the name of a secret are redacted. */
export function requestFields({ messages, instruction, tools = [], params = {} }: Asked): StepFields {
  const conversation = messages.filter(({ role }) => role !== 'system').flatMap(toMessage);
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const said = [instructionText(instruction), ...system].filter((text) => text !== '').join('\n\n');
  const offered = tools.flatMap(toTool);
  const isKnown = conversation.length > 0 || said !== '';
  const shown = redactJson(params, isSecret);
  return {
    messageCount: messages.length,
    input: messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text,
    tools: offered.map(({ name }) => name),
    ...(isKnown && {
      request: {
        instruction: said,
        tools: offered,
        added: conversation.map((message) => ({ message })),
        ...(isObject(shown) && Object.keys(shown).length > 0 && { params: shown }),
      },
    }),
  };
}

function instructionText(instruction: Json | undefined): string {
  if (instruction === undefined || instruction === null) return '';
  const parts = isObject(instruction) ? (instruction.parts ?? instruction.content ?? instruction) : instruction;
  const { text, isWhole } = readParts(parts);
  return isWhole ? text : (asText(instruction) ?? '');
}

function toMessage(message: ReadMessage): readonly Message[] {
  const { role, text, results } = message;
  if (role === 'assistant') return [assistantOf([message], undefined)];
  const given: Message[] = results.length === 0 ? [] : [resultsMessage(results)];
  return text === '' ? given : [...given, { role: 'user', content: [{ type: 'text', text }] }];
}

function resultsMessage(results: ReadMessage['results']): Message {
  return {
    role: 'tool',
    results: results.map(({ callId, text }, index) => ({
      callId: brandAs<CallId>(callId ?? `call_${index + 1}`),
      result: { content: [{ type: 'text', text }], isError: false },
    })),
  };
}

interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Reads the definition of a tool, or its name alone. Gemini groups definitions in `function_declarations`. */
function toTool(given: Json): readonly OfferedTool[] {
  const tool = parsed(given);
  if (typeof tool === 'string') return [{ name: tool, description: '', inputSchema: {} }];
  if (!isObject(tool)) return [];
  const group = tool.function_declarations ?? tool.functionDeclarations;
  if (Array.isArray(group)) return group.flatMap(toTool);
  const named = isObject(tool.function) ? tool.function : tool;
  if (typeof named.name !== 'string') return [];
  const schema = named.parameters ?? named.inputSchema ?? named.input_schema ?? named.parameters_json_schema;
  return [
    { name: named.name, description: asText(named.description) ?? '', inputSchema: isObject(schema) ? schema : {} },
  ];
}
