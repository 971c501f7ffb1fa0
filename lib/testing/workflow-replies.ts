import { isRecord, parseJson } from '@/lib/base/json';
import type { FakeReply, FakeRequest } from './fake-openai';

/**
 * A model for workflows behind the fake OpenAI server. It reads the schema that its instruction ends with: it chooses the last agent
 * of a router, plans one step for the first two agents and then no more, and rates the first answer FAIR and later ones EXCELLENT.
 * Everything else is answered by `say`.
 */
export function workflowReplies(say: (request: FakeRequest) => FakeReply): (request: FakeRequest) => FakeReply {
  let plans = 0;
  let ratings = 0;
  return (request) => {
    const { properties } = schemaIn(request);
    if (!isRecord(properties)) return say(request);
    if ('rating' in properties) {
      ratings += 1;
      return json(
        ratings === 1
          ? { rating: 'FAIR', feedback: 'Name a number.', needs_improvement: true, focus_areas: ['numbers'] }
          : { rating: 'EXCELLENT', feedback: 'Nothing is missing.', needs_improvement: false, focus_areas: [] },
      );
    }
    if ('is_complete' in properties) {
      plans += 1;
      if (plans > 1) return json({ description: 'All is done', tasks: [], is_complete: true });
      const tasks = agentsIn(properties.tasks).slice(0, 2);
      return json({
        description: 'Both at once',
        tasks: tasks.map((agent) => ({ agent, description: `Work of ${agent}` })),
        is_complete: false,
      });
    }
    const agent = agentsIn(properties).findLast((name) => name !== null);
    return json({ agent, confidence: 'high', reasoning: 'It is the last one.' });
  };
}

function json(value: object): FakeReply {
  return { text: JSON.stringify(value) };
}

/** The last line of the instruction, if it is a schema. */
function schemaIn({ messages }: FakeRequest): Readonly<Record<string, unknown>> {
  const instruction = messages.find(({ role }) => role !== 'user')?.text ?? '';
  const schema = parseJson(instruction.trimEnd().split('\n').at(-1) ?? '');
  return isRecord(schema) ? schema : {};
}

/** The names that a schema allows for `agent`, at any depth. */
function agentsIn(schema: unknown): unknown[] {
  if (!isRecord(schema)) return [];
  const { agent } = schema;
  if (isRecord(agent) && Array.isArray(agent.enum)) return agent.enum;
  return Object.values(schema).flatMap(agentsIn);
}
