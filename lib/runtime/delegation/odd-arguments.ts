import { isRecord } from '@/lib/base/json';
import type { ToolCall } from '@/lib/runtime/record/messages';

const longest = 40;

/** Says why the arguments of a call cannot be used, and what to send. Called when they could not be read as a JSON object. */
export function argumentsProblem({ name, argumentsText }: Pick<ToolCall, 'name' | 'argumentsText'>): string {
  const whole = `The arguments of '${name}'`;
  if (!isObjectText(argumentsText)) return `${whole} are not a JSON object. Send one that fits the tool's parameters.`;
  const number = numberBeyondDoubles(argumentsText);
  if (number === undefined) return `${whole} are nested too deeply. Send flatter ones.`;
  const shown = number.length > longest ? `${number.slice(0, longest)}…` : number;
  return `${whole} hold the number ${shown}, which is beyond the range of numbers here (about 1.8e308). Send it as text.`;
}

function isObjectText(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Returns the first such number as it is written. The text is valid JSON. */
function numberBeyondDoubles(text: string): string | undefined {
  const withoutStrings = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return withoutStrings.match(/-?\d[\d.eE+-]*/g)?.find((number) => !Number.isFinite(Number(number)));
}
