import { isObject } from '@/lib/interop/spans/reading/span-reader';
import type { StepFields } from '@/lib/interop/spans/reading/step-fields';
import { type Convention, isScope } from './convention';

/** CrewAI, by OpenInference and by its own spans. A crew is an instance around its agents. */
export const crewAi: Convention = {
  source: { key: 'crewai', isFrom: isScope(/crewai/i) },
  names: {
    input: ['crew_inputs', 'formatted_description'],
    inputTokens: ['prompt_tokens'],
    outputTokens: ['completion_tokens'],
  },
  isNoise: ({ name, scope }) => /crewai/i.test(scope) && /^(?:Crew Created|Task Created|Task Execution)$/.test(name),
  read: ({ span, reader, kind }): StepFields | undefined => {
    if (!/crewai/i.test(span.scope)) return undefined;
    if (kind === 'step' && span.name.endsWith('.kickoff')) return { name: span.name.replace(/\.kickoff$/, '') };
    if (kind !== 'tool') return undefined;
    const input = reader.unmarked().value('input.value');
    const calling = isObject(input) && isObject(input.calling) ? input.calling.arguments : undefined;
    return calling === undefined ? undefined : { arguments: calling };
  },
};
