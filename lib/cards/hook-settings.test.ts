import { expect, test } from 'vitest';
import { patternProblem } from '@/lib/base/pattern-problem';
import { hookEntries } from '@/lib/testing/hook-entries';
import { folderOf } from './files';
import { readFolder } from './project/read-folder';

test('reads code and declarative hooks with every default filled in', () => {
  expect(
    hookEntries([
      'code/hooks.py:audit',
      { block: null },
      { clamp: { argument: 'x', max: 10, when: { tool: '*add_one', source: 'function' } } },
      { redact: { keys: ['token'] } },
      { retry: {} },
    ]),
  ).toEqual([
    { kind: 'code', code: { spec: 'code/hooks.py:audit', file: 'code/hooks.py', functionName: 'audit' } },
    { kind: 'block' },
    { kind: 'clamp', argument: 'x', max: 10, when: { tool: '*add_one', source: 'function' } },
    { kind: 'redact', keys: ['token'], patterns: [], in: 'result', replacement: '[redacted]' },
    {
      kind: 'retry',
      attempts: 3,
      delay_ms: 500,
      factor: 2,
      max_delay_ms: 30_000,
      on: ['TOOL_FAILED', 'TOOL_TIMEOUT', 'SERVER_UNAVAILABLE'],
    },
  ]);
});

test.each([
  [
    '{block: {when: {tool: 5}}}',
    "'run_hooks.0.block.when.tool' is the number 5: use a name such as 'time__*', or a list of them. Correct it.",
  ],
  [
    '{block: {when: {source: web}}}',
    "'run_hooks.0.block.when.source' is the string 'web': use one of mcp, function, agent, runtime, or a list of them. Correct it.",
  ],
  [
    '{default: {argument: a}}',
    "'run_hooks.0.default.value' is nothing: a value is needed: text, a number, true, false, null, a list or a mapping. Correct it.",
  ],
])('says what may stand there: %s', (hook, message) => {
  const { issues } = readFolder(folderOf({ 'callboard.yaml': `version: 1\nrun_hooks: [${hook}]\n` }));
  expect(issues.map((issue) => issue.message)).toEqual([message]);
});

test('reports what is wrong with a hook at its own line', () => {
  const { issues, settings } = readFolder(
    folderOf({
      'agent-cards/lead.md': '---\nname: lead\n---\nLead.\n',
      'callboard.yaml': `version: 1
run_hooks:
  - clamp:
      argument: x
      maxx: 3
  - blok: {}
  - redact:
      patterns:
        - '(?=x)'
  - retry:
      when:
        source: agent
  - ../hooks.py:audit
agent_hooks:
  lead:
    - truncate:
        max_chars: many
hooks:
  hooks.py:audit:
    on_error: ignore
`,
    }),
  );
  const found = issues
    .filter((issue) => issue.code === 'settings-invalid')
    .map(({ line, message }) => `${line}: ${message}`);
  expect(found).toMatchInlineSnapshot(`
    [
      "4: 'run_hooks.0.clamp' is a mapping: 'min' or 'max' is needed. Correct it.",
      "5: callboard.yaml has no key 'run_hooks.0.clamp.maxx'. Remove it.",
      "6: 'run_hooks.1.blok' is a mapping: there is no hook 'blok'; use 'file.py:function' or one of block, clamp, rename, default, redact, truncate, rate_limit, retry, cache, log. Correct it.",
      "9: 'run_hooks.2.redact.patterns.0' is the string '(?=x)': a pattern cannot look ahead or behind ((?=, (?!, (?<=, (?<!). Correct it.",
      "12: 'run_hooks.3.retry.when.source' is the string 'agent': use one of mcp, function, runtime, or a list of them. Correct it.",
      "13: 'run_hooks.4' is the string '../hooks.py:audit': code is written 'file.py:function', inside the project. Correct it.",
      "17: 'agent_hooks.lead.0.truncate.max_chars' is the string 'many': use a number. Correct it.",
      "20: 'hooks.hooks.py:audit.on_error' is the string 'ignore': use fail or skip. Correct it.",
    ]
  `);
  expect(settings.run_hooks).toEqual([]);
});

test('tells patterns RE2 can match from those it cannot', () => {
  const good = ['sk-[A-Za-z0-9]{20,}', '(?i)bearer\\s+\\S+', '(?P<key>a)b', '[(?=]', '\\(\\?=', '(a+)+b', '\\\\1'];
  expect(good.map(patternProblem)).toEqual(good.map(() => undefined));
  const bad = ['(?=a)', '(?<!a)b', '(a)\\1', '(a', '[a', 'a**', 'a++', '(?>a)'];
  expect(bad.filter((pattern) => patternProblem(pattern) === undefined)).toEqual([]);
});
