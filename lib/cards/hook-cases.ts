import { z } from 'zod';
import { canonicalJson } from '@/lib/base/canonical-json';
import type { HookCase, HookReport } from '@/lib/base/hook-report';
import { type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { hookCaseShape } from '@/lib/base/task-request';
import type { Folder } from './folder';

/**
 * Cases of hooks that are kept beside the project, one in each file `hook-cases/<name>.json`: a tool call, the answer of its tool,
 * and what is expected of the hooks.
 */
export interface KeptHookCase extends HookCase {
  readonly expected: {
    /** The result that the model would read. */
    readonly result: Json;
    /** The arguments that the tool gets. Absent if no hook lets the call through. */
    readonly arguments?: JsonObject | undefined;
  };
}

export interface HookCaseFile {
  readonly name: string;
  readonly path: string;
  /** `undefined` if the file cannot be read as a case. */
  readonly kept: KeptHookCase | undefined;
}

const folderOfCases = 'hook-cases/';

const keptCase = z.strictObject({
  ...hookCaseShape,
  expected: z.strictObject({ result: hookCaseShape.result, arguments: hookCaseShape.state }),
}) satisfies z.ZodType<KeptHookCase>;

export function hookCasePath(name: string): string {
  return `${folderOfCases}${name}.json`;
}

/** Says why a name cannot be used for a file of a case, or `undefined`. */
export function hookCaseNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'Give the case a name.';
  if (name.length > 80) return 'A name has at most 80 characters.';
  if (!/^[\p{L}\p{N}][\p{L}\p{N} _.-]*$/u.test(name)) return 'Use letters, digits, spaces, dots, - and _.';
  return undefined;
}

/** Lists the cases of a folder by name. */
export function hookCasesIn(folder: Folder): readonly HookCaseFile[] {
  const files: HookCaseFile[] = [];
  for (const [path, file] of folder) {
    if (!path.startsWith(folderOfCases) || !path.endsWith('.json')) continue;
    const name = path.slice(folderOfCases.length, -'.json'.length);
    const kept = file.kind === 'text' ? keptCase.safeParse(parseJson(file.text)).data : undefined;
    files.push({ name, path, kept });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function hookCaseText({ agent, only, call, result, state, expected }: KeptHookCase): string {
  return `${JSON.stringify({ agent, only, call, result, state, expected }, null, 2)}\n`;
}

/** Returns what is expected of a case when hooks should go on to do what a report says they did. */
export function expectedOf(report: Pick<HookReport, 'result' | 'arguments'>): KeptHookCase['expected'] {
  return { result: report.result, ...(report.arguments && { arguments: report.arguments }) };
}

/** Returns what differs from the expectation: nothing if the case passes. The order of members makes no difference. */
export function differences(
  { expected }: KeptHookCase,
  report: Pick<HookReport, 'result' | 'arguments'>,
): readonly { readonly what: 'arguments' | 'result'; readonly expected: Json; readonly actual: Json }[] {
  const parts = [
    { what: 'arguments', expected: expected.arguments ?? null, actual: report.arguments ?? null },
    { what: 'result', expected: expected.result, actual: report.result },
  ] as const;
  return parts.filter((part) => canonicalJson(part.expected) !== canonicalJson(part.actual));
}
