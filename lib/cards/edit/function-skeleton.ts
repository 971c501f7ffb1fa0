import { type ToolHookPhase, toolHookPhases } from '@/lib/cards/card';

const lifecyclePhases = ['on_start', 'on_shutdown'] as const;

/** A function tool, middleware of the list form of `tool_hooks` (`hook`), or the hook of one phase. */
export type FunctionKind = 'tool' | 'hook' | ToolHookPhase | (typeof lifecyclePhases)[number];

/** The phases whose hooks are functions with one parameter, in the order of a turn. */
export const functionPhases: readonly Exclude<FunctionKind, 'tool' | 'hook'>[] = [
  'on_start',
  ...toolHookPhases,
  'on_shutdown',
];

/** The dialects of code that a project may have. CommonJS files have no `export`. */
export type Dialect = 'python' | 'typescript' | 'javascript';

/** For each phase: when it runs, and what its hook may change (docs/code.md). */
const phaseWords: Readonly<Record<Exclude<FunctionKind, 'tool' | 'hook'>, string>> = {
  on_start: 'Runs once, before the first turn of an instance of the agent.',
  before_llm_call: 'Runs before each call of the model. It may change the last message and the history.',
  after_llm_call: "Runs after each call of the model. It may change the model's message.",
  before_tool_call: 'Runs before the tool calls of a message. It may change or take out calls.',
  after_tool_call: 'Runs after the tool calls of a message. It may change the results.',
  after_turn_complete: 'Runs at the end of a turn. It may change the answer and the history.',
  on_shutdown: 'Runs once, at the end of an instance of the agent.',
};

/**
 * Returns a function that is valid as it is and does nothing harmful: a tool returns its text, middleware passes the call
 * on, and the hook of a phase changes nothing. Lines end with `\n`.
 */
export function functionSkeleton(dialect: Dialect, kind: FunctionKind, name: string, isCommonJs = false): string {
  if (dialect === 'python') return pythonSkeleton(kind, name);
  const lines = dialect === 'typescript' ? typescriptLines(kind, name) : javascriptLines(kind, name);
  if (!isCommonJs) return lines.join('\n');
  const own = lines.map((line) => line.replace(/^export /, ''));
  return [...own, `module.exports.${name} = ${name};`, ''].join('\n');
}

function pythonSkeleton(kind: FunctionKind, name: string): string {
  switch (kind) {
    case 'tool':
      return `def ${name}(text: str) -> str:
    """Returns the text unchanged. The model reads this sentence: say here what the tool does.

    Args:
        text: What the tool works on.
    """
    return text
`;
    case 'hook':
      return `async def ${name}(ctx, args: dict, call_next):
    """Wraps every tool call of the agent: ctx.tool_name says which tool is called."""
    # Before the call: read or change args.
    result = await call_next(args)
    # After the call: read or change result.
    return result
`;
    default:
      return `async def ${name}(ctx) -> None:
    """${phaseWords[kind]}"""
    print(f"${kind} of {ctx.agent_name}")
`;
  }
}

function typescriptLines(kind: FunctionKind, name: string): string[] {
  switch (kind) {
    case 'tool':
      return [
        '/**',
        ' * Returns the text unchanged. The model reads this sentence: say here what the tool does.',
        ' * @param text What the tool works on.',
        ' */',
        `export async function ${name}(text: string): Promise<string> {`,
        '  return text;',
        '}',
        '',
      ];
    case 'hook':
      return [
        '/** Wraps every tool call of the agent: `ctx.toolName` says which tool is called. */',
        `export async function ${name}(`,
        '  ctx: { readonly agentName: string; readonly toolName: string; readonly toolSource: string },',
        '  args: Record<string, unknown>,',
        '  next: (args?: Record<string, unknown>) => Promise<{ content: unknown[]; isError?: boolean }>,',
        ') {',
        ...middlewareBody,
        '}',
        '',
      ];
    default:
      return [
        `/** ${phaseWords[kind]} */`,
        `export async function ${name}(ctx: { readonly agentName: string }): Promise<void> {`,
        ...phaseBody(kind),
        '}',
        '',
      ];
  }
}

function javascriptLines(kind: FunctionKind, name: string): string[] {
  switch (kind) {
    case 'tool':
      return [
        '/**',
        ' * Returns the text unchanged. The model reads this sentence: say here what the tool does.',
        ' * @param {string} text What the tool works on.',
        ' */',
        `export async function ${name}(text) {`,
        '  return text;',
        '}',
        '',
      ];
    case 'hook':
      return [
        '/** Wraps every tool call of the agent: `ctx.toolName` says which tool is called. */',
        `export async function ${name}(ctx, args, next) {`,
        ...middlewareBody,
        '}',
        '',
      ];
    default:
      return [`/** ${phaseWords[kind]} */`, `export async function ${name}(ctx) {`, ...phaseBody(kind), '}', ''];
  }
}

const middlewareBody = [
  '  // Before the call: read or change args.',
  '  const result = await next(args);',
  '  // After the call: read or change result.',
  '  return result;',
];

function phaseBody(kind: FunctionKind): string[] {
  return [`  console.log(\`${kind} of \${ctx.agentName}\`);`];
}
