import { jsonTrouble } from '@/lib/base/json-trouble';
import type { ToolCall } from '@/lib/runtime/record/messages';

/** Says why the arguments of a call cannot be used, and what to send. Called when they could not be read as a JSON object. */
export function argumentsProblem({ name, argumentsText }: Pick<ToolCall, 'name' | 'argumentsText'>): string {
  const whole = `The arguments of '${name}'`;
  const trouble = argumentsText.trimStart().startsWith('{') ? jsonTrouble(argumentsText) : undefined;
  if (trouble === undefined) return `${whole} are not a JSON object. Send one that fits the tool's parameters.`;
  if (trouble.kind === 'depth') return `${whole} are nested too deeply. Send flatter ones.`;
  return `${whole} hold the number ${trouble.number}, which is beyond the range of numbers here (about 1.8e308). Send it as text.`;
}
