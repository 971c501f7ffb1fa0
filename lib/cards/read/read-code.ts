import {
  type AgentCard,
  type CodeRef,
  type FunctionToolSpec,
  type ToolHookPhase,
  type ToolHooks,
  toolHookPhases,
} from '@/lib/cards/card';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { type CardContext, referCode } from './card-context';
import { describeValue } from './describe-value';
import { isGiven, listed, readMapping } from './fields';

/** Reads the fields that name code: `function_tools`, `tool_hooks`, `lifecycle_hooks`. */

const toolKeys = ['entrypoint', 'variant', 'code_arg', 'language'];

export function readFunctionTools(card: CardContext): FunctionToolSpec[] {
  const tools = card.value.function_tools ?? undefined;
  if (tools === undefined) return [];
  if (typeof tools === 'string') return readFunctionTool(card, tools, ['function_tools']);
  if (Array.isArray(tools)) {
    return tools.flatMap((tool: unknown, index) => readFunctionTool(card, tool, ['function_tools', index]));
  }
  const text = `'function_tools' must be a string or a list, not ${describeValue(tools)}. Write [file.py:function].`;
  card.report.report('function-tool-invalid', ['function_tools'], text);
  return [];
}

function readFunctionTool(card: CardContext, tool: unknown, path: Path): FunctionToolSpec[] {
  const refuse = (at: Path, text: string): [] => {
    card.report.report('function-tool-invalid', at, text);
    return [];
  };
  if (typeof tool !== 'string' && !isMapping(tool)) {
    return refuse(path, `A function tool must be 'file.py:function' or a mapping, not ${describeValue(tool)}.`);
  }
  const entry: Record<string, unknown> = typeof tool === 'string' ? { entrypoint: tool } : tool;
  for (const key of Object.keys(entry)) {
    if (!toolKeys.includes(key))
      refuse([...path, key], `A function tool has no key '${key}'. Use ${listed(toolKeys)}.`);
  }
  const { entrypoint, variant, code_arg: codeArg, language } = entry;
  const at = typeof tool === 'string' ? path : [...path, 'entrypoint'];
  if (typeof entrypoint !== 'string' || entrypoint.trim() === '') {
    return refuse(at, `A function tool needs an entrypoint 'file.py:function', not ${describeValue(entrypoint)}.`);
  }
  if (variant !== undefined && variant !== null && variant !== 'code') {
    return refuse(
      [...path, 'variant'],
      `'variant' must be 'code', not ${describeValue(variant)}. Remove it or correct it.`,
    );
  }
  const before = card.report.issues.length;
  const code = referCode(card, 'function', entrypoint, at);
  if (code === undefined) {
    const isExplained = card.report.issues.length > before;
    return isExplained ? [] : refuse(at, `'${entrypoint}' names no function. Write 'file.py:function'.`);
  }
  const isCode = variant === 'code';
  return [
    {
      entrypoint,
      file: code.file,
      functionName: code.functionName,
      variant: isCode ? 'code' : undefined,
      codeArg: typeof codeArg === 'string' ? codeArg : isCode ? 'code' : undefined,
      language: typeof language === 'string' ? language : isCode ? 'python' : undefined,
    },
  ];
}

export function readToolHooks(card: CardContext): ToolHooks {
  if (!isGiven(card, 'tool_hooks')) return { form: 'none' };
  const { tool_hooks: hooks } = card.value;
  if (Array.isArray(hooks)) return readHookChain(card, hooks);
  const mapping = readMapping(card, 'tool_hooks');
  if (mapping === undefined) return { form: 'none' };
  const phases: Partial<Record<ToolHookPhase, CodeRef>> = {};
  for (const [key, spec] of Object.entries(mapping.value)) {
    const phase = toolHookPhases.find((known) => known === key);
    if (phase === undefined) {
      const text = `There is no hook phase '${key}'. Use ${listed(toolHookPhases)}.`;
      card.report.reportKey('hook-phase', ['tool_hooks', key], text);
      continue;
    }
    const code = readHook(card, spec, ['tool_hooks', key]);
    if (code !== undefined) phases[phase] = code;
  }
  return { form: 'phases', phases };
}

function readHookChain(card: CardContext, hooks: readonly unknown[]): ToolHooks {
  const text =
    "'tool_hooks' as a list is a chain that wraps every tool call. fast-agent's loader rejects the list; export for fast-agent moves it into an adapter.";
  card.report.reportKey('hook-list', ['tool_hooks'], text);
  const chain = hooks.flatMap((spec, index) => readHook(card, spec, ['tool_hooks', index]) ?? []);
  return { form: 'chain', chain };
}

export function readLifecycleHooks(card: CardContext): AgentCard['lifecycleHooks'] {
  const hooks: { on_start?: CodeRef; on_shutdown?: CodeRef } = {};
  for (const [key, spec] of Object.entries(readMapping(card, 'lifecycle_hooks')?.value ?? {})) {
    if (key !== 'on_start' && key !== 'on_shutdown') {
      const text = `There is no lifecycle hook '${key}'. Use on_start or on_shutdown.`;
      card.report.reportKey('lifecycle-phase', ['lifecycle_hooks', key], text);
      continue;
    }
    const code = readHook(card, spec, ['lifecycle_hooks', key]);
    if (code !== undefined) hooks[key] = code;
  }
  return hooks;
}

function readHook(card: CardContext, spec: unknown, path: Path): CodeRef | undefined {
  const before = card.report.issues.length;
  const code = typeof spec === 'string' ? referCode(card, 'hook', spec, path) : undefined;
  if (code === undefined && card.report.issues.length === before) {
    card.report.report('hook-spec', path, `A hook is written 'file.py:function', not ${describeValue(spec)}.`);
  }
  return code;
}
