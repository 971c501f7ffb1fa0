/** A card that asks for nothing special. `fields` are lines of its front matter. */
const card = (name: string, fields = '') => `---\nname: ${name}\n${fields}---\nDo as you are told.\n`;

/** An agent `lead` with a child `kid`, whose tool adds one, and whose hook lowers what is asked of the tool to ten. */
export const auditedKid = {
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [kid]\n'),
  'agent-cards/kid.md': card('kid', 'function_tools: [../tools.ts:addOne]\ntool_hooks: [../hooks.ts:audit]\n'),
  'tools.ts': 'export function addOne(args: { x: number }) {\n  return args.x + 1;\n}\n',
  'hooks.ts': `export async function audit(ctx: object, args: { x: number }, next: (args: object) => Promise<object>) {
  return next({ ...args, x: Math.min(args.x, 10) });
}
`,
};
