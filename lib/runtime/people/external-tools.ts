import { exactJson } from '@/lib/base/exact-json';
import type { StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';
import { own } from '@/lib/base/own';
import type { Settings } from '@/lib/cards/settings';
import { inputProblem } from '@/lib/runtime/delegation/check-input';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { argumentsHashOf } from './arguments-hash';
import { askPerson } from './ask-person';
import { answerForm, resultOf } from './human-input';
import { questionOf, shownOf } from './pass-gate';
import { callSentence } from './sentence';
import { pendingToolOf } from './tool-identity';

export type ExternalTool = Settings['external_tools'][string];

/** Returns the settings of a tool whose results people give; `undefined` for any other tool. */
export function externalOf({ run }: Instance, { source, name }: ToolDescriptor): ExternalTool | undefined {
  return source === 'runtime' ? own(run.parsed.settings.external_tools, name) : undefined;
}

/** Asks a person for the result of a call of a tool that has a schema and no code. */
export async function askForResult(
  instance: Instance,
  step: StepKey,
  {
    tool,
    external,
    args,
  }: { readonly tool: ToolDescriptor; readonly external: ExternalTool; readonly args: JsonObject },
  slot: CallSlot,
): Promise<ToolResult> {
  const { run } = instance;
  const problem = inputProblem(tool.inputSchema, args);
  if (problem !== undefined) {
    return errorResult('INPUT_VALIDATION', `Error: The arguments of '${tool.name}' are not valid: ${problem}.`);
  }
  if (!run.ports.people) {
    const message = `Error: The results of '${tool.name}' come from people, and nobody can be asked in this run. Do the task without it.`;
    return errorResult('NOT_ALLOWED', message);
  }
  const shown = shownOf(instance, tool, args);
  const input = Object.keys(args).length === 0 ? '' : typeof shown === 'string' ? shown : JSON.stringify(shown);
  const { result_schema: form = answerForm } = external;
  const end = await askPerson(
    instance,
    step,
    {
      ...questionOf(instance, 'external', `Give the result: ${callSentence({ tool: tool.name, input })}`, {
        why: undefined,
        limit: undefined,
      }),
      tool: pendingToolOf(tool, run),
      arguments: shown,
      argumentsHash: argumentsHashOf(args, run.ports.hash?.now),
      form,
    },
    slot.permit,
  );
  if (!external.result_schema) return resultOf(end);
  const content = end.outcome === 'answered' && end.answer.decision === 'answer' ? end.answer.content : undefined;
  if (content === undefined) return resultOf(end);
  const check = schemaCheck(external.result_schema, 'draft-07');
  if (!check.ok || check.value(content).length > 0) {
    return errorResult(
      'OUTPUT_VALIDATION',
      `Error: The result of '${tool.name}' that a person gave does not fit its schema.`,
    );
  }
  const text = typeof content === 'string' ? content : exactJson(content);
  return { content: [{ type: 'text', text }], isError: false, structuredContent: content };
}
