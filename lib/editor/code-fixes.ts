import type { Issue } from '@/lib/base/issue';
import { nearName } from '@/lib/base/near-name';
import { ok } from '@/lib/base/result';
import { toolHookPhases } from '@/lib/cards/card';
import { languageOf } from '@/lib/cards/code/code-scan';
import { FolderDraft } from '@/lib/cards/edit/draft';
import { editCard } from '@/lib/cards/edit/edit';
import type { FunctionKind } from '@/lib/cards/edit/function-skeleton';
import { addFunction } from '@/lib/cards/edit/new-function';
import { pathAt } from '@/lib/cards/read/locate';
import { joinPath, splitCodeSpec } from '@/lib/cards/references';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { addAgent, addServer, type Command } from '@/lib/graph/commands';
import { fieldAt } from './code-fields';
import { type CodeProject, namesOfKind, treeOfFile } from './code-project';
import { textAt } from './document';

/** A change that corrects an issue. */
export interface CodeFix {
  /** What it does, such as "Create tools.py with add_one". */
  readonly label: string;
  readonly change: () => Command;
  /** A function that the change writes, which is shown afterwards. */
  readonly shows?: { readonly file: string; readonly functionName: string };
}

/** Finds a fix in the project as it is now. */
export type FindFix = (project: CodeProject) => CodeFix | undefined;

/**
 * Returns the changes that correct an issue, the most likely first. It is called for one issue when its fixes are shown; it parses
 * the file of the issue.
 */
export function fixesOf(project: CodeProject, issue: Issue): readonly CodeFix[] {
  switch (issue.code) {
    case 'function-file-missing':
    case 'function-missing':
    case 'hook-file-missing':
    case 'hook-missing':
      return [
        ...createFunction(project, issue),
        ...meantValue(project, issue),
        ...removeValue(project, issue, 'reference'),
      ];
    case 'missing-agent':
      return [...meantValue(project, issue), ...addChild(project, issue), ...removeValue(project, issue, 'reference')];
    case 'unknown-server':
      return [
        ...meantValue(project, issue),
        ...configureServer(project, issue),
        ...removeValue(project, issue, 'reference'),
      ];
    case 'unknown-field':
    case 'request-param-unknown':
      return [...meantField(project, issue), ...removeValue(project, issue, 'field')];
    case 'settings-invalid':
      return issue.message.includes('has no key')
        ? [...meantField(project, issue), ...removeValue(project, issue, 'field')]
        : [];
    case 'settings-unknown-agent':
    case 'approval-agent':
    case 'approval-unused':
    case 'hitl-mismatch':
    case 'settings-unused-delegation':
    case 'settings-unused-hook':
      return removeValue(project, issue, 'entry');
    case 'no-effect':
    case 'plan-type-ignored':
      return removeValue(project, issue, 'field');
    case 'duplicate-child':
      return removeValue(project, issue, 'second entry');
    case 'bad-value':
    case 'unknown-type':
      return meantValue(project, issue);
    case 'hook-not-async':
    case 'hook-not-exported':
      return writeWord(project, issue);
    default:
      return [];
  }
}

/** Returns the function that finds the fix with these words, once the text may have changed. */
export function fixCalled(issue: Issue, label: string): FindFix {
  return (project) => fixesOf(project, issue).find((one) => one.label === label);
}

interface Found {
  readonly path: Path;
  readonly value: unknown;
}

function found({ folder }: CodeProject, issue: Issue): Found | undefined {
  const path = pathAt(folder, issue.file, issue);
  return path && { path, value: new FolderDraft(folder).read(issue.file, path) };
}

/** Returns the `file.py:function` that an issue is about, and the path of its file in the project. */
function specAt(project: CodeProject, issue: Issue) {
  const { path = [], value } = found(project, issue) ?? {};
  // A function tool may also be a mapping with an entrypoint. In `hooks:` the spec is the key.
  const written =
    typeof value === 'string' ? value : path.findLast((step) => typeof step === 'string' && step.includes(':'));
  const spec = typeof written === 'string' ? splitCodeSpec(written) : undefined;
  const file = spec && joinPath(issue.file, spec.file);
  return spec === undefined || file === undefined ? undefined : { file, functionName: spec.functionName, path };
}

function createFunction(project: CodeProject, issue: Issue): CodeFix[] {
  const spec = specAt(project, issue);
  if (spec === undefined || languageOf(spec.file) === undefined) return [];
  const { file, functionName } = spec;
  const added = { file, name: functionName, kind: kindAt(spec.path, issue) };
  const label = project.folder.has(file) ? `Add ${functionName} to ${file}` : `Create ${file} with ${functionName}`;
  return [{ label, change: () => addFunction(project.folder, added), shows: { file, functionName } }];
}

function kindAt(path: Path, issue: Issue): FunctionKind {
  if (issue.code.startsWith('function')) return 'tool';
  const phases: readonly FunctionKind[] = [...toolHookPhases, 'on_start', 'on_shutdown'];
  return phases.find((phase) => path.includes(phase)) ?? 'hook';
}

function addChild({ folder, drawn }: CodeProject, issue: Issue): CodeFix[] {
  const value = found({ folder, drawn }, issue)?.value;
  if (typeof value !== 'string' || value === '') return [];
  return [{ label: `Add the agent ${value}`, change: () => addAgent(folder, drawn, { name: value }) }];
}

function configureServer({ folder, drawn }: CodeProject, issue: Issue): CodeFix[] {
  const value = found({ folder, drawn }, issue)?.value;
  if (typeof value !== 'string' || value === '') return [];
  const change = () => addServer(folder, drawn, { name: value, command: 'npx' });
  return [{ label: `Add the server ${value} to ${drawn.config.file ?? 'fast-agent.yaml'}`, change }];
}

/** Offers the name or value that a misspelt one probably means. */
function meantValue(project: CodeProject, issue: Issue): CodeFix[] {
  const { path, value } = found(project, issue) ?? {};
  const tree = treeOfFile(project, issue.file, textAt(project.folder, issue.file) ?? '');
  if (path === undefined || typeof value !== 'string' || tree === undefined) return [];
  const field = fieldAt(
    tree,
    path.map((step) => (typeof step === 'number' ? '-' : step)),
  );
  const names = field?.of === undefined ? [] : namesOfKind(project, field.of, issue.file).map(({ name }) => name);
  const near = nearName(value, [...names, ...(field?.options ?? [])]);
  if (near === undefined) return [];
  return [{ label: `Write ${near}`, change: () => edit(project, issue, { op: 'set', path, value: near }) }];
}

function meantField(project: CodeProject, issue: Issue): CodeFix[] {
  const path = found(project, issue)?.path;
  const key = path?.at(-1);
  const tree = treeOfFile(project, issue.file, textAt(project.folder, issue.file) ?? '');
  if (path === undefined || typeof key !== 'string' || tree === undefined) return [];
  const around = fieldAt(
    tree,
    path.slice(0, -1).map((step) => (typeof step === 'number' ? '-' : step)),
  );
  const near = nearName(key, Object.keys(around?.fields ?? {}));
  if (
    near === undefined ||
    new FolderDraft(project.folder).read(issue.file, [...path.slice(0, -1), near]) !== undefined
  )
    return [];
  return [
    { label: `Rename the field to ${near}`, change: () => edit(project, issue, { op: 'rename', path, key: near }) },
  ];
}

/** Removes the entry or field. A list or mapping that becomes empty goes too. */
function removeValue(project: CodeProject, issue: Issue, what: string): CodeFix[] {
  const path = found(project, issue)?.path;
  if (path === undefined || path.length === 0) return [];
  const name = path.findLast((step) => typeof step === 'string');
  const label = what === 'field' ? `Remove the field ${name}` : `Remove the ${what}`;
  return [
    {
      label,
      change() {
        const draft = new FolderDraft(project.folder);
        draft.prune(issue.file, path);
        return draft.changes();
      },
    },
  ];
}

/** Writes `async` or `export` before the function of a hook. */
function writeWord(project: CodeProject, issue: Issue): CodeFix[] {
  const spec = specAt(project, issue);
  const text = spec && textAt(project.folder, spec.file);
  if (spec === undefined || text === undefined) return [];
  const word = issue.code === 'hook-not-async' ? 'async' : 'export';
  const head = word === 'async' ? 'def' : '(?:async[ \\t]+)?function|const';
  const pattern = new RegExp(`^(?=(?:${head})[ \\t]+${spec.functionName}\\b)`, 'm');
  if (!pattern.test(text)) return [];
  const changed = new Map([[spec.file, text.replace(pattern, `${word} `)]]);
  return [{ label: `Write ${word} before ${spec.functionName}`, change: () => ok(changed) }];
}

function edit({ folder }: CodeProject, issue: Issue, change: Parameters<typeof editCard>[2]): Command {
  const edited = editCard(textAt(folder, issue.file) ?? '', issue.file, change);
  return edited.ok ? ok(new Map([[issue.file, edited.value]])) : edited;
}
