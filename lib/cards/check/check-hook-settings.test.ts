import { expect, test } from 'vitest';
import { countJsParameters } from '@/lib/cards/code/js-parameters';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

function issuesOf(files: Readonly<Record<string, string>>): string[] {
  return readFolder(folderOf(files)).issues.map(({ file, line, code }) => `${file}:${line} ${code}`);
}

test('hooks of callboard.yaml are checked against cards and code, at their own lines', () => {
  const found = issuesOf({
    'agent-cards/lead.md': '---\nname: lead\ntool_hooks: [../hooks.py:audit]\n---\nLead.\n',
    'agent-cards/flow.md': '---\ntype: a2a\nname: flow\nurl: http://x/\n---\n',
    'hooks.py':
      'async def audit(ctx, args, call_next):\n    return await call_next(args)\n\nasync def one(ctx):\n    pass\n',
    'hooks.ts':
      'export async function ok(ctx: Ctx, args: Record<string, string>, next: Next) {}\nfunction hidden(a, b, c) {}\nexport const two = (ctx, args) => 1\n',
    'callboard.yaml': `version: 1
run_hooks:
  - hooks.py:audit
  - hooks.py:one
  - hooks.py:gone
  - missing.py:audit
  - hooks.ts:ok
  - hooks.ts:hidden
  - hooks.ts:two
agent_hooks:
  lead:
    - block: {}
  nobody: []
  flow: []
hooks:
  hooks.py:audit: {on_error: skip}
  ../hooks.py:audit: {}
  hooks.py:other: {}
`,
  });
  expect(found.filter((issue) => !issue.includes('hook-list') && !issue.includes('code-not-python'))).toEqual([
    'callboard.yaml:4 hook-signature',
    'callboard.yaml:5 hook-missing',
    'callboard.yaml:6 hook-file-missing',
    'callboard.yaml:8 hook-not-exported',
    'callboard.yaml:9 hook-signature',
    'callboard.yaml:13 settings-unknown-agent',
    'callboard.yaml:14 settings-unused-hook',
    'callboard.yaml:18 settings-unused-hook',
  ]);
});

test.each([
  ['(ctx, args, next) {', 3, 3],
  [' = async (ctx, args, next) => 1', 3, 3],
  [' = ctx => 1', 1, 1],
  [
    '<T extends object>(ctx: Ctx<T>, args: Record<string, unknown>, next: (args: object) => Promise<R>): Promise<R> {',
    3,
    3,
  ],
  [' = function named({ a, b }, [c, d] = [], ...rest) {', 1, Number.POSITIVE_INFINITY],
  ["(a = 'x, y', b /* , c */, // d\n e?: string) {", 1, 3],
  ['() {', 0, 0],
])('counts the parameters of %s', (text, least, most) => {
  expect(countJsParameters(text, 0)).toEqual({ least, most });
});

test('does not guess what it cannot read', () => {
  for (const text of [' = other;', ': Hook = (a) => 1', '(a, b', ' = wrap((a) => 1)']) {
    expect(countJsParameters(text, 0)).toBeUndefined();
  }
});
