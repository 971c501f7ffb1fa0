import type { Issue } from '@/lib/base/issue';
import { parseJson } from '@/lib/base/json';
import type { CodeRef } from './card';
import { issueAt } from './check-references';
import { type Definition, languageOf, scanDefinitions } from './code-scan';
import type { Folder, FolderFile } from './folder';
import type { IssueCode } from './issue-codes';
import type { CardReading } from './read-card';
import { joinPath, type Reference } from './references';
import { isSecretFile } from './secret-files';

/** Files a card names: code, history, `{{file:…}}`. They are looked at as text; nothing runs. */
export function checkFiles(folder: Folder, cards: readonly CardReading[]): Issue[] {
  return cards.flatMap((reading) =>
    reading.references.flatMap((reference) => {
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
  const use = reference.kind === 'function' ? 'function' : isChain ? 'middleware' : 'phase';
  return codeFaults(folder, code, use).map((fault) => issueAt(fault.code, reading, reference, fault.text));
}

export interface CodeFault {
  readonly code: IssueCode;
  readonly text: string;
}

/** What is wrong with a function that a card or callboard.yaml names, seen in the text of its file. */
export function codeFaults(folder: Folder, code: CodeRef, use: 'function' | 'middleware' | 'phase'): CodeFault[] {
  if (code.spec.includes('${')) return [];
  const isHook = use !== 'function';
  const what = isHook ? 'Hook' : 'Function tool';
  const file = folder.get(code.file);
  if (file === undefined) {
    const text = `${what} '${code.spec}': there is no file '${code.file}'. Add it or correct the path.`;
    return [{ code: isHook ? 'hook-file-missing' : 'function-file-missing', text }];
  }
  const language = languageOf(code.file);
  if (language === undefined || file.kind === 'binary') {
    const text = `${what} '${code.spec}': '${code.file}' is neither Python nor JavaScript text. Use a .py, .ts or .js file.`;
    return [{ code: 'code-kind', text }];
  }
  const faults: CodeFault[] = [];
  if (language === 'javascript') {
    const text = `${what} '${code.spec}' is JavaScript, which runs here but not in fast-agent. Use Python to run it there.`;
    faults.push({ code: 'code-not-python', text });
  }
  const found = definitionsOf(language, file).get(code.functionName);
  if (found === undefined || (found.isOpaque && !isHook && language === 'python')) {
    const text = `${what} '${code.spec}': '${code.file}' defines no function '${code.functionName}' at top level. Define it there.`;
    faults.push({ code: isHook ? 'hook-missing' : 'function-missing', text });
  } else if (isHook && language === 'python' && !found.isAsync && !found.isOpaque) {
    const text = `Hook function '${code.functionName}' in '${code.file}' must be async. Write 'async def ${code.functionName}'.`;
    faults.push({ code: 'hook-not-async', text });
  } else if (isHook && found.isExported === false) {
    const text = `Hook function '${code.functionName}' in '${code.file}' is not exported. Write 'export' before it.`;
    faults.push({ code: 'hook-not-exported', text });
  } else if (isHook && found.positional !== undefined) {
    const given = use === 'middleware' ? ['ctx', 'args', language === 'python' ? 'call_next' : 'next'] : ['ctx'];
    if (given.length < found.positional.least || given.length > found.positional.most) {
      const text = `Hook function '${code.functionName}' in '${code.file}' is called with (${given.join(', ')}). Give it these parameters.`;
      faults.push({ code: 'hook-signature', text });
    }
  }
  return faults;
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
    const text = `{{file:${target}}} names a file that holds secrets, which no agent is told. Name another one.`;
    return [issueAt('placeholder-file', reading, reference, text)];
  }
  const path = joinPath('', target);
  const nextToCard = joinPath(reading.card?.file ?? '', target);
  if ((path !== undefined && folder.has(path)) || (nextToCard !== undefined && folder.has(nextToCard))) return [];
  const text = `{{file:${target}}} names a file that is not in the project. Add it or correct the path.`;
  return [issueAt('placeholder-file', reading, reference, text)];
}

const definitions = new WeakMap<FolderFile, ReadonlyMap<string, Definition>>();
const jsonFiles = new WeakMap<FolderFile, boolean>();

function definitionsOf(language: 'python' | 'javascript', file: FolderFile & { kind: 'text' }) {
  const known = definitions.get(file) ?? scanDefinitions(language, file.text);
  definitions.set(file, known);
  return known;
}

function isJson(file: FolderFile): boolean {
  const known = jsonFiles.get(file) ?? (file.kind === 'text' && parseJson(file.text) !== undefined);
  jsonFiles.set(file, known);
  return known;
}
