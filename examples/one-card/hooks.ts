interface Context {
  toolName: string;
  toolSource: 'mcp' | 'function' | 'agent' | 'runtime';
}
type Arguments = Record<string, unknown>;
type Result = { content: { type: string; text?: string }[]; isError?: boolean };
type Next = (args: Arguments) => Promise<Result>;

/** Wraps every tool call of the card, from any source: before, instead of, and after the call. */
export async function audit_hook(ctx: Context, args: Arguments, next: Next): Promise<Result> {
  const bounded = ctx.toolName === 'add_one' ? { ...args, x: Math.min(Number(args.x), 10) } : args;
  if (ctx.toolSource === 'runtime') return { content: [{ type: 'text', text: 'blocked' }], isError: true };
  const result = await next(bounded);
  return { ...result, content: [...result.content, { type: 'text', text: `[audit: ${ctx.toolSource}]` }] };
}
