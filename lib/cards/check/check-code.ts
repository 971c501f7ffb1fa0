import type { Issue } from '@/lib/base/issue';
import { parseJson } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import { type CodeRef, type ToolHookPhase, toolHookPhases } from '@/lib/cards/card';
import { type Language, languageOf, scanCode } from '@/lib/cards/code/code-scan';
import type { CodeScan, FunctionDefinition } from '@/lib/cards/code/definition';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { cardHookPhases } from '@/lib/cards/hook-settings';
import { cardWithoutHooksOff, isCardHookOff } from '@/lib/cards/hooks-off';
import type { IssueCode } from '@/lib/cards/issue-codes';
import { maxReadUnits } from '@/lib/cards/read/check-bytes';
import type { CardReading } from '@/lib/cards/read/read-card';
import { joinPath, type Reference } from '@/lib/cards/references';
import { isSecretFile } from '@/lib/cards/secret-files';
import type { Settings } from '@/lib/cards/settings';
import { issueAt } from './check-references';
import { stopProblem } from './check-stop';

/** Checks the files that cards name: code, history, `{{file:…}}`. Reads them as text; nothing runs. */
export function checkFiles(folder: Folder, cards: readonly CardReading[], settings: Settings): Issue[] {
  return cards.flatMap((reading) =>
    reading.references.flatMap((reference) => {
      // Nothing loads the code of a hook that is off.
      if (reference.kind === 'hook' && isOff(reading, reference.code, settings)) return [];
      switch (reference.kind) {
        case 'function':
        case 'hook':
          return checkCode(folder, reading, reference, reference.code);
        case 'history':
          return checkHistory(folder, reading, reference, reference.target);
        case 'include':
          return checkInclude(folder, reading, reference, reference.target);
        default:
          return [];
      }
    }),
  );
}

function checkCode(folder: Folder, reading: CardReading, reference: Reference, code: CodeRef): Issue[] {
  const { card } = reading;
  const isChain = reference.field === 'tool_hooks' && card?.type === 'agent' && card.toolHooks.form === 'chain';
  const use = reference.kind === 'function' ? 'function' : isChain ? 'middleware' : phaseOf(reading, code);
  return codeFaults(folder, code, use).map((fault) => issueAt(fault.code, reading, reference, fault.text));
}

function isOff({ card }: CardReading, code: CodeRef, settings: Settings): boolean {
  if (card?.type !== 'agent' || cardWithoutHooksOff(card, settings) === card) return false;
  const { toolHooks, lifecycleHooks } = card;
  if (toolHooks.form === 'chain' && toolHooks.chain.includes(code))
    return isCardHookOff(settings, card.name, 'around', code);
  const phases = { ...(toolHooks.form === 'phases' ? toolHooks.phases : {}), ...lifecycleHooks };
  return cardHookPhases.some((phase) => phases[phase] === code && isCardHookOff(settings, card.name, phase, code));
}

/** Returns the phase at which the card has the hook. */
function phaseOf({ card }: CardReading, code: CodeRef): HookPhase {
  const phases = card?.type === 'agent' && card.toolHooks.form === 'phases' ? card.toolHooks.phases : {};
  return toolHookPhases.find((phase) => phases[phase] === code) ?? 'on_start';
}

/** Returns the functions (`file:function`) that cards and chains of callboard.yaml name and that no file defines. */
export function missingCode(folder: Folder, cards: readonly CardReading[], settings: Settings): ReadonlySet<string> {
  const named = [
    ...cards.flatMap(({ references }) =>
      references.flatMap((reference) => ('code' in reference ? [reference.code] : [])),
    ),
    ...[...settings.run_hooks, ...Object.values(settings.agent_hooks).flat()].flatMap((entry) =>
      entry.kind === 'code' ? [entry.code] : [],
    ),
  ];
  return new Set(named.flatMap((code) => (isDefined(folder, code) ? [] : [`${code.file}:${code.functionName}`])));
}

/** True if the file may define the function. Only loading can decide about some names. */
function isDefined(folder: Folder, { spec, file: path, functionName }: CodeRef): boolean {
  // The variable is replaced when a run starts, so the file is not known yet.
  if (spec.includes('${')) return true;
  const file = folder.get(path);
  const language = languageOf(path);
  if (file?.kind !== 'text' || language === undefined) return false;
  const scan = scanOf(language, file);
  const found = scan.known.get(functionName);
  return found === undefined ? scan.mayDefine(functionName) : found.kind === 'function';
}

export interface CodeFault {
  readonly code: IssueCode;
  readonly text: string;
}

type HookPhase = ToolHookPhase | 'on_start' | 'on_shutdown';

/** Returns the faults of a function that a card or callboard.yaml names, found in the text of its file. */
export function codeFaults(folder: Folder, code: CodeRef, use: 'function' | 'middleware' | HookPhase): CodeFault[] {
  if (code.spec.includes('${')) return [];
  const isHook = use !== 'function';
  const what = isHook ? 'Hook' : 'Function tool';
  const file = folder.get(code.file);
  if (file === undefined) {
    const text = `${what} '${code.spec}': there is no file '${code.file}'. Add it or correct the path.`;
    return [{ code: isHook ? 'hook-file-missing' : 'function-file-missing', text }];
  }
  const language = languageOf(code.file);
  if (language === undefined || file.kind !== 'text') {
    const text = `${what} '${code.spec}': '${code.file}' is neither Python nor JavaScript text. Use a .py, .ts or .js file.`;
    return [{ code: 'code-kind', text }];
  }
  const faults: CodeFault[] = [];
  if (language === 'javascript') {
    const text = `${what} '${code.spec}' is JavaScript, which runs here but not in fast-agent. Use Python to run it there.`;
    faults.push({ code: 'code-not-python', text });
  }
  const scan = scanOf(language, file);
  const found = scan.known.get(code.functionName);
  if (found === undefined && !scan.mayDefine(code.functionName)) {
    const text = `${what} '${code.spec}': '${code.file}' defines no function '${code.functionName}' at top level. Define it there.`;
    faults.push({ code: isHook ? 'hook-missing' : 'function-missing', text });
  } else if (found === undefined && !isHook && language === 'python' && scan.isSure) {
    const text = `${what} '${code.spec}': fast-agent's check finds only what a 'def' at the top of '${code.file}' defines. Here it is loaded as it is.`;
    faults.push({ code: 'function-not-def', text });
  } else if (found?.kind === 'value') {
    const text = `${what} '${code.spec}': '${code.functionName}' on line ${found.line} of '${code.file}' is a value, not a function. Define a function.`;
    faults.push({ code: isHook ? 'hook-missing' : 'function-missing', text });
  } else if (found !== undefined && isHook) {
    const fault = hookFault(code, found, use === 'middleware', language);
    if (fault !== undefined) faults.push(fault);
    const problem = stopProblem(code, file.text, scan, use === 'middleware' ? 'around' : use);
    if (problem !== undefined) faults.push({ code: 'hook-stop', text: problem });
  }
  return faults;
}

function hookFault(
  { file, functionName }: CodeRef,
  found: FunctionDefinition,
  isMiddleware: boolean,
  language: Language,
): CodeFault | undefined {
  const name = `Hook function '${functionName}' on line ${found.line} of '${file}'`;
  if (language === 'python' && found.isAsync === false) {
    return { code: 'hook-not-async', text: `${name} must be async. Write 'async def ${functionName}'.` };
  }
  if (found.isExported === false) {
    return { code: 'hook-not-exported', text: `${name} is not exported. Write 'export' before it.` };
  }
  const given = isMiddleware ? ['ctx', 'args', language === 'python' ? 'call_next' : 'next'] : ['ctx'];
  const { least = 0, most = given.length } = found.positional ?? {};
  if (given.length >= least && given.length <= most) return undefined;
  return { code: 'hook-signature', text: `${name} is called with (${given.join(', ')}). Give it these parameters.` };
}

function checkHistory(folder: Folder, reading: CardReading, reference: Reference, target: string): Issue[] {
  if (target.includes('${')) return [];
  const path = joinPath(reading.card?.file ?? '', target);
  if (path === undefined) {
    const text = `History file '${target}' is outside the project. Move it into the folder.`;
    return [issueAt('code-outside', reading, reference, text)];
  }
  const file = folder.get(path);
  if (file === undefined) {
    const text = `History file '${path}' does not exist. Add it or correct the path.`;
    return [issueAt('history-missing', reading, reference, text)];
  }
  if (!path.endsWith('.json') || isJson(file)) return [];
  return [issueAt('history-invalid', reading, reference, `History file '${path}' is not valid JSON. Correct it.`)];
}

function checkInclude(folder: Folder, reading: CardReading, reference: Reference, target: string): Issue[] {
  if (target.includes('${')) return [];
  if (/^([/\\~]|[A-Za-z]:)/.test(target)) {
    const text = `{{file:${target}}} is an absolute path, which is refused. Write a path relative to the working folder.`;
    return [issueAt('placeholder-file', reading, reference, text)];
  }
  if (isSecretFile(target)) {
    const text = `{{file:${target}}} names a file that holds secrets, which agents must not read. Name another one.`;
    return [issueAt('placeholder-file', reading, reference, text)];
  }
  const path = joinPath('', target);
  const nextToCard = joinPath(reading.card?.file ?? '', target);
  if ((path !== undefined && folder.has(path)) || (nextToCard !== undefined && folder.has(nextToCard))) return [];
  const text = `{{file:${target}}} names a file that is not in the project. Add it or correct the path.`;
  return [issueAt('placeholder-file', reading, reference, text)];
}

/** The result for a file that is too large to read, which has an issue of its own. */
const unscanned: CodeScan = { isSure: false, known: new Map(), mayDefine: () => true };

const scans = new WeakMap<FolderFile, CodeScan>();
function scanOf(language: Language, file: FolderFile & { kind: 'text' }): CodeScan {
  const known = scans.get(file) ?? (file.text.length > maxReadUnits ? unscanned : scanCode(language, file.text));
  scans.set(file, known);
  return known;
}

const isJson = oncePer((file: FolderFile) => file.kind === 'text' && parseJson(file.text) !== undefined);
