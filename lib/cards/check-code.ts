import type { Issue } from '@/lib/base/issue';
import { parseJson } from '@/lib/base/json';
import type { CodeRef } from './card';
import { issueAt } from './check-references';
import { type Definition, languageOf, scanDefinitions } from './code-scan';
import type { Folder, FolderFile } from './folder';
import type { CardReading } from './read-card';
import { joinPath, type Reference } from './references';

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
  if (code.spec.includes('${')) return [];
  const isHook = reference.kind === 'hook';
  const what = isHook ? 'Hook' : 'Function tool';
  const file = folder.get(code.file);
  if (file === undefined) {
    const text = `${what} '${code.spec}': there is no file '${code.file}'. Add it or correct the path.`;
    return [issueAt(isHook ? 'hook-file-missing' : 'function-file-missing', reading, reference, text)];
  }
  const language = languageOf(code.file);
  if (language === undefined || file.kind === 'binary') {
    const text = `${what} '${code.spec}': '${code.file}' is neither Python nor JavaScript text. Use a .py, .ts or .js file.`;
    return [issueAt('code-kind', reading, reference, text)];
  }
  const issues: Issue[] = [];
  if (language === 'javascript') {
    const text = `${what} '${code.spec}' is JavaScript, which runs here but not in fast-agent. Use Python to run it there.`;
    issues.push(issueAt('code-not-python', reading, reference, text));
  }
  const found = definitionsOf(language, file).get(code.functionName);
  if (found === undefined || (found.isOpaque && !isHook && language === 'python')) {
    const text = `${what} '${code.spec}': '${code.file}' defines no function '${code.functionName}' at top level. Define it there.`;
    issues.push(issueAt(isHook ? 'hook-missing' : 'function-missing', reading, reference, text));
  } else if (isHook && language === 'python' && !found.isAsync && !found.isOpaque) {
    const text = `Hook function '${code.functionName}' in '${code.file}' must be async. Write 'async def ${code.functionName}'.`;
    issues.push(issueAt('hook-not-async', reading, reference, text));
  } else if (isHook && found.positional !== undefined) {
    const card = reading.card;
    const isChain = reference.field === 'tool_hooks' && card?.type === 'agent' && card.toolHooks.form === 'chain';
    const given = isChain ? ['ctx', 'args', 'call_next'] : ['ctx'];
    if (given.length < found.positional.least || given.length > found.positional.most) {
      const text = `Hook function '${code.functionName}' in '${code.file}' is called with (${given.join(', ')}). Give it these parameters.`;
      issues.push(issueAt('hook-signature', reading, reference, text));
    }
  }
  return issues;
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
