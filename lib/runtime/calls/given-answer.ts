import { parseExactJson } from '@/lib/base/exact-json';
import type { StepKey } from '@/lib/base/ids';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ToolResult } from '@/lib/runtime/record/messages';
import type { NamedCall } from '@/lib/runtime/surface/own-name';

/** Returns the answer that a call gets in place of its tool's, if there is one. The log says where it comes from. */
export function givenAnswer({ run, spec, turn }: Instance, call: NamedCall, step: StepKey): ToolResult | undefined {
  const given = turn.given?.get(call.id);
  if (given) return given;
  const { answers } = run.ports;
  if (answers === undefined) return undefined;
  const text = call.argumentsText.trim();
  const [root = ''] = spec.path.split('/', 1);
  const found = answers({
    agentName: spec.card.name,
    tool: call.name,
    place: step.slice(root.length),
    arguments: run.recordable(text === '' ? {} : (parseExactJson(text) ?? text)),
  });
  if (found === undefined) return undefined;
  const { level, code, message } = found;
  run.log({ level, code, message }, spec.path, step);
  return found.result;
}
