interface Context {
  toolName: string;
  instanceName: string;
}
type Arguments = Record<string, unknown>;
type Result = { content: { type: string; text?: string }[]; isError?: boolean };
type Next = (args: Arguments) => Promise<Result>;

/** Before: no number over ten. After: a signature. */
export async function audit(ctx: Context, args: Arguments, next: Next): Promise<Result> {
  const bounded = typeof args.x === 'number' ? { ...args, x: Math.min(args.x, 10) } : args;
  const result = await next(bounded);
  return { ...result, content: [...result.content, { type: 'text', text: `[seen by ${ctx.instanceName}]` }] };
}

/** Instead: large sums are refused, the tool is not called. */
export async function guard(ctx: Context, args: Arguments, next: Next): Promise<Result> {
  if (ctx.toolName === 'spend' && Number(args.euros) > 100) {
    return { isError: true, content: [{ type: 'text', text: 'Refused: more than 100 €.' }] };
  }
  return next(args);
}
