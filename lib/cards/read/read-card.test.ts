import { describe, expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { IssueCode } from '@/lib/cards/issue-codes';
import { readFolder } from '@/lib/cards/project/read-folder';

/**
 * One rule per row. The card is valid except at `«`, and the row names the issue there. The test also checks that no other issue
 * is reported.
 */

const companions = {
  'agent-cards/kid.md': '---\nname: kid\n---\nAnswer.\n',
  'agent-cards/kid2.md': '---\nname: kid2\n---\nAnswer.\n',
  'agent-cards/flow.md': '---\nname: flow\ntype: chain\nsequence: [kid]\n---\n',
  'agent-cards/far.md': '---\nname: far\ntype: a2a\nurl: https://far.example\n---\n',
  'agent-cards/tools.py':
    'from os import path as imported\n\ndef add(x: int) -> int:\n    """\ndef fake(): 1\n"""\n    return x\n',
  'agent-cards/hooks.py': 'async def audit(ctx, args, call_next):\n    pass\n\ndef slow(ctx):\n    pass\n',
  'agent-cards/tool.ts': 'export async function shout(text) { return text }\n',
  'agent-cards/history.json': '{"messages": []}',
  'agent-cards/broken.json': '{',
  'data.txt': 'data',
  'skills/one/SKILL.md': '---\nname: one\n---\nFirst.\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    time:\n      command: time-server\nmodel_references:\n  system:\n    fast: openai.gpt-5\n    a: $system.b\n',
};

function issuesOf(card: string, file = 'agent-cards/card.md'): string[] {
  const parsed = readFolder(folderOf({ ...companions, [file]: card }));
  return parsed.issues
    .filter((issue) => issue.file === file)
    .map(({ line, column, code }) => `${line}:${column} ${code}`);
}

function expectation(marked: string): { text: string; place: string } {
  const at = marked.indexOf('«');
  const before = marked.slice(0, at).split('\n');
  return { text: marked.replace('«', ''), place: `${before.length}:${(before.at(-1) ?? '').length + 1}` };
}

const schema = 'tool_input_schema:\n  type: object\n  properties:\n    q: {type: string, description: d}\n';
const fields: readonly (readonly [IssueCode, string])[] = [
  ['wrong-type', 'type: «8'],
  ['unknown-type', 'type: «agnet'],
  ['smart-type', 'type: «smart'],
  ['bad-name', 'name: «2026-01-02'],
  ['bad-name', 'name: «010'],
  ['bad-name', "name: «'  '"],
  ['bad-name', 'name: «yes'],
  ['odd-name', 'name: «a/b'],
  ['unknown-field', '«colour: red'],
  ['unknown-field', '«sequence: [kid]'],
  ['duplicate-key', 'model: playback\n«model: passthrough'],
  ['wrong-type', 'schema_version: «"1"'],
  ['wrong-type', 'schema_version: «true'],
  ['wrong-type', 'schema_version: «1e3'],
  ['wrong-type', "description: «''"],
  ['wrong-type', 'description: «no'],
  ['wrong-type', 'default: «"yes"'],
  ['wrong-type', 'tool_only: «1'],
  ['wrong-type', 'human_input: «y'],
  ['wrong-type', 'shell: «[]'],
  ['wrong-type', 'harness_tools: «none'],
  ['wrong-type', 'trim_tool_history: «0'],
  ['wrong-type', 'save_trajectory: «"no"'],
  ['default-and-tool-only', 'default: true\n«tool_only: true'],
  ['harness-and-tool-only', 'tool_only: true\n«harness_tools: true'],
  ['trajectory-needs-no-history', '«save_trajectory: true'],
  ['use-history-ignored', 'use_history: «"false"'],
  ['wrong-type', 'subagents: «"x"'],
  ['wrong-type', '«subagents:'],
  ['wrong-type', "subagent_model: «' '"],
  ['wrong-type', '«subagent_model:'],
  ['model-invalid', 'model: «4.1'],
  ['model-invalid', 'model: «gpt-5.high'],
  ['model-invalid', 'model: «gpt-5?speed=9'],
  ['model-reference', 'model: «$system.slow'],
  ['wrong-type', 'servers: «time'],
  ['wrong-type', 'servers:\n  - time\n  - «5'],
  ['unknown-server', 'servers: [time, «tim]'],
  ['wrong-type', 'servers: [time]\ntools: «[get_time]'],
  ['wrong-type', 'servers: [time]\ntools:\n  time: «get_time'],
  ['wrong-type', 'servers: [time]\nprompts:\n  time: [a, «2]'],
  ['filter-without-server', 'resources:\n  «time: []'],
  ['skills-ignored', 'skills: «5'],
  ['skills-ignored', 'skills: [skills, «5]'],
  ['skill-missing', 'skills: [«nowhere]'],
  ['skill-missing', 'skills: «nowhere'],
  ['wrong-type', 'skills: []\nagents: «kid'],
  ['wrong-type', 'agents: [kid, «""]'],
  ['missing-agent', 'agents: [kid, «ghost]'],
  ['missing-agent', 'agents: [kid, «Kid 2]'],
  ['duplicate-child', 'agents: [kid, kid2, «kid]'],
  ['child-not-agent', 'agents:\n  - kid\n  - «flow'],
  ['cycle', 'name: card\nagents: [kid, «card]'],
  ['bad-value', 'agents: [kid]\nhistory_source: «parent'],
  ['bad-value', 'agents: [kid]\nhistory_merge_target: «messages'],
  ['history-messages-broken', 'agents: [kid]\nhistory_source: «messages'],
  ['out-of-range', 'agents: [kid]\nmax_parallel: «0'],
  ['wrong-type', 'agents: [kid]\nmax_parallel: «2.5'],
  ['wrong-type', 'agents: [kid]\nmax_parallel: «true'],
  ['wrong-type', 'agents: [kid]\nchild_timeout_sec: «"30"'],
  ['out-of-range', 'agents: [kid]\nchild_timeout_sec: «-1'],
  ['out-of-range', 'agents: [kid]\nmax_display_instances: «-3'],
  ['options-ignored', '«max_parallel: rubbish'],
  ['request-params', 'request_params: {max_tokens: «true}'],
  ['request-params', 'request_params:\n  maxTokens: «1.5'],
  ['request-params', 'request_params:\n  tool_result_mode: «raw'],
  ['request-params', 'request_params: {template_vars: «5}'],
  ['no-effect', '«harness_tools: true'],
  ['no-effect', '«subagents: true'],
  ['no-effect', '«subagent_model: gpt-4.1'],
  ['no-effect', 'use_history: false\n«save_trajectory: true'],
  ['no-effect', '«commands: {go: {description: d, handler: h.py:go}}'],
  ['no-effect', '«variables: {a: 1}'],
  ['no-effect', '«cwd: .'],
  ['no-effect', '«api_key: sk-1'],
  ['request-param-range', 'request_params: {max_iterations: «0}'],
  ['request-param-range', 'request_params: {top_p: «2}'],
  ['request-param-unknown', 'request_params:\n  «max_tokns: 5'],
  ['wrong-type', 'request_params: «[1]'],
  ['schema-invalid', 'tool_input_schema: «text'],
  ['schema-invalid', 'tool_input_schema: «2026-01-02'],
  ['wrong-type', 'request_params: «2026-01-02'],
  ['mcp-connect', 'mcp_connect: «2026-01-02'],
  ['schema-invalid', 'tool_input_schema:\n  type: «string'],
  ['schema-invalid', `${schema}  required: [q, «r]`],
  ['schema-invalid', `${schema}  required: «q`],
  ['schema-invalid', `${schema}  additionalProperties: «"no"`],
  ['schema-invalid', 'tool_input_schema:\n  type: object\n  properties:\n    q: «string'],
  ['schema-unusable', 'tool_input_schema:\n  type: object\n  properties:\n    q: {«type: strnig}'],
  ['schema-unusable', `${schema}  required: [q]\n  «minProperties: -1`],
  ['schema-description', 'tool_input_schema:\n  type: object\n  properties:\n    «q: {type: string}\n  required: [q]'],
  ['function-tool-invalid', 'function_tools: «5'],
  ['function-tool-invalid', 'function_tools: [«tools.py]'],
  ['function-tool-invalid', 'function_tools: [tools.py:add, «3]'],
  ['function-tool-invalid', 'function_tools:\n  - entrypoint: tools.py:add\n    colour: «red'],
  ['function-tool-invalid', 'function_tools:\n  - entrypoint: tools.py:add\n    variant: «fast'],
  ['function-tool-invalid', 'function_tools:\n  - entrypoint: «7'],
  ['function-file-missing', 'function_tools: [«tool.py:add]'],
  ['function-missing', 'function_tools: [«tools.py:sub]'],
  ['function-missing', 'function_tools: [«tools.py:fake]'],
  ['function-not-def', 'function_tools: [«tools.py:imported]'],
  ['code-not-python', 'function_tools: [«tool.ts:shout]'],
  ['code-kind', 'function_tools: [«../data.txt:x]'],
  ['code-outside', 'function_tools: [«../../x.py:add]'],
  ['code-outside', 'function_tools: [«/etc/x.py:add]'],
  ['hook-list', '«tool_hooks: [hooks.py:audit]'],
  ['hook-phase', 'tool_hooks:\n  «before_tools: hooks.py:audit'],
  ['hook-spec', 'tool_hooks:\n  before_tool_call: «[hooks.py:audit]'],
  ['hook-file-missing', 'tool_hooks:\n  before_tool_call: «hook.py:audit'],
  ['hook-missing', 'tool_hooks:\n  before_tool_call: «hooks.py:audits'],
  ['hook-not-async', 'tool_hooks:\n  before_tool_call: «hooks.py:slow'],
  ['wrong-type', 'tool_hooks: «hooks.py:audit'],
  ['lifecycle-phase', 'lifecycle_hooks:\n  «on_begin: hooks.py:audit'],
  ['hook-not-async', 'lifecycle_hooks:\n  on_start: «hooks.py:slow'],
  ['hook-signature', 'tool_hooks:\n  before_tool_call: «hooks.py:audit'],
  ['hook-signature', 'lifecycle_hooks:\n  on_start: «hooks.py:audit'],
  ['command-invalid', 'commands:\n  go:\n    description: d\n    handler: «""'],
  ['command-invalid', 'commands:\n  go: {description: d, handler: h}\n  «/GO: {description: d, handler: h}'],
  ['command-invalid', 'commands:\n  go: «h'],
  ['wrong-type', 'commands: «[go]'],
  ['mcp-connect', 'mcp_connect: «text'],
  ['mcp-connect', 'mcp_connect:\n  docs:\n    target: uvx docs\n    command: «docs'],
  ['mcp-connect', 'mcp_connect:\n  docs:\n    target: uvx docs\n    name: «other'],
  ['mcp-connect', 'mcp_connect:\n  docs:\n    «description: neither target nor connector'],
  ['mcp-connect', 'mcp_connect:\n  - target: uvx docs\n    management: «nobody'],
  ['mcp-connect', 'mcp_connect:\n  - target: uvx docs\n    headers: «[a]'],
  ['mcp-connect', "mcp_connect:\n  - target: «uvx 'docs"],
  ['mcp-connect-flags', 'mcp_connect:\n  - target: «uvx docs --auth secret'],
  ['history-missing', 'messages: «none.json'],
  ['history-invalid', 'messages: [history.json, «broken.json]'],
  ['wrong-type', 'cwd: «5'],
  ['wrong-type', 'instruction: «5'],
  ['instruction-empty', "instruction: «'  '"],
  ['placeholder-file', "instruction: «'{{file:/etc/passwd}}'"],
  ['yaml-syntax', 'description: «a: b'],
  ['yaml-syntax', 'description: «='],
  ['yaml-tag', 'description: «!!python/object:os.system x'],
  ['yaml-key', 'description: «{{currentDate}}'],
  ['yaml-alias', 'description: «*nobody'],
];

describe('fields of an agent card', () => {
  test.each(fields)('%s at the marked place of %j', (code, marked) => {
    const isWhole = /^type|^name|\nname/.test(marked.replace('«', ''));
    const head = isWhole ? '---\n' : '---\nname: card\n';
    const { text, place } = expectation(`${head}${marked}\n---\n`);
    expect(issuesOf(text)).toEqual([`${place} ${code}`]);
  });
});

const workflows: readonly (readonly [IssueCode, string])[] = [
  ['missing-field', '«type: chain'],
  ['missing-field', 'type: chain\nsequence: «[]'],
  ['missing-field', 'type: chain\n«sequence:'],
  ['wrong-type', 'type: chain\nsequence: «kid'],
  ['wrong-type', 'type: chain\nsequence: [kid]\ncumulative: «"yes"'],
  ['missing-agent', 'type: chain\nsequence: [kid, «ghost]'],
  ['cycle', 'type: chain\nname: card\nsequence: [«card]'],
  ['unknown-field', 'type: chain\nsequence: [kid]\n«model: x'],
  ['missing-field', '«type: parallel'],
  ['missing-field', 'type: parallel\nfan_out: «[]'],
  ['missing-agent', 'type: parallel\nfan_out: [kid]\nfan_in: «ghost'],
  ['wrong-type', 'type: parallel\nfan_out: [kid]\ninclude_request: «1'],
  ['missing-field', '«type: evaluator_optimizer\ngenerator: kid'],
  ['bad-value', 'type: evaluator_optimizer\ngenerator: kid\nevaluator: kid2\nmin_rating: «SUPERB'],
  ['wrong-type', 'type: evaluator_optimizer\ngenerator: kid\nevaluator: kid2\nmax_refinements: «many'],
  ['wrong-type', 'type: evaluator_optimizer\ngenerator: «[kid]\nevaluator: kid2'],
  ['missing-field', '«type: router'],
  ['unknown-field', 'type: router\nagents: [kid]\n«tool_hooks: {}'],
  ['unknown-server', 'type: router\nagents: [kid]\nservers: [«tim]'],
  ['trajectory-needs-no-history', 'type: router\nagents: [kid]\nuse_history: true\n«save_trajectory: true'],
  ['missing-field', '«type: orchestrator'],
  ['plan-type-unknown', 'type: orchestrator\nagents: [kid]\nplan_type: «partial'],
  ['plan-type-ignored', 'type: orchestrator\nagents: [kid]\nplan_type: «full'],
  ['wrong-type', 'type: orchestrator\nagents: [kid]\n«plan_type:'],
  ['wrong-type', 'type: orchestrator\nagents: [kid]\nplan_type: «[full]'],
  ['wrong-type', 'type: orchestrator\nagents: [kid]\nplan_iterations: «true'],
  ['wrong-type', 'type: router\nagents: [kid, «3]'],
  ['wrong-type', 'type: router\nagents: [kid, «""]'],
  ['missing-agent', 'type: router\nagents: [kid, «ghost]'],
  ['missing-agent', 'type: orchestrator\nagents: [«ghost]'],
  ['cycle', 'type: iterative_planner\nname: card\nagents: [«card]'],
  ['remote-in-plan', 'type: iterative_planner\nagents: [kid, «far]'],
  ['remote-in-plan', 'type: orchestrator\nagents: [«far]'],
  ['wrong-type', 'type: orchestrator\nagents: [kid]\nplan_iterations: «5.5'],
  ['missing-field', 'type: iterative_planner\nagents: «[]'],
  ['unknown-field', 'type: iterative_planner\nagents: [kid]\n«plan_type: full'],
  ['missing-field', '«type: maker'],
  ['wrong-type', 'type: MAKER\nworker: kid\n«k:'],
  ['wrong-type', 'type: iterative_planner\nagents: [kid]\n«plan_iterations: '],
  ['bad-value', 'type: MAKER\nworker: kid\nmatch_strategy: «fuzzy'],
  ['wrong-type', 'type: MAKER\nworker: kid\nk: «"3"'],
  ['out-of-range', 'type: MAKER\nworker: kid\nk: «0'],
  ['out-of-range', 'type: MAKER\nworker: kid\nk: 4\nmax_samples: «3'],
  ['out-of-range', 'type: MAKER\nworker: kid\nk: «60'],
  ['missing-field', '«type: a2a'],
  ['wrong-type', 'type: a2a\nurl: http://x\ntransport: «GRPC'],
  ['wrong-type', 'type: a2a\nurl: http://x\nheaders:\n  A: «1'],
  ['wrong-type', 'type: a2a\nurl: http://x\nauth: «token'],
];

describe('fields of the other card types', () => {
  test.each(workflows)('%s at the marked place of %j', (code, marked) => {
    const { text, place } = expectation(`---\n${marked}\n---\n`);
    expect(issuesOf(text)).toEqual([`${place} ${code}`]);
  });
});

describe('the body', () => {
  test.each<readonly [IssueCode, string]>([
    ['instruction-twice', '---\nname: a\n«instruction: x\n---\ny'],
    ['inline-history', '---\nname: a\n---\nHello\n  «---USER\nhi'],
    ['placeholder-file', '---\nname: a\n---\nRead «{{file:notes.txt}} first.'],
    ['front-matter-not-closed', '\n«---\nname: a\n\nHello'],
    ['front-matter-not-mapping', '---\n«- a\n- b\n---\nHello'],
  ])('%s', (code, marked) => {
    const { text, place } = expectation(marked);
    expect(issuesOf(text)).toEqual([`${place} ${code}`]);
  });

  test('places hold with a BOM, blank lines and CRLF', () => {
    const { text, place } = expectation('\r\n---\r\nname: a\r\n«colour: red\r\n---\r\nHello\r\n');
    expect(issuesOf(`\uFEFF${text}`)).toEqual([`${place} unknown-field`]);
  });

  test('drops a leading ---SYSTEM, keeps rules inside, strips both ends', () => {
    const parsed = readFolder(
      folderOf({ 'a.md': '---\nname: a\n---\n\n---SYSTEM\r\nOne\r\n---\r\nTwo \\{{file:x}}\r\n\r\n' }),
    );
    expect(parsed.issues).toEqual([]);
    expect(parsed.cards[0]?.instruction).toBe('One\n---\nTwo \\{{file:x}}');
  });
});

test('goes on after each fault and keeps what was right', () => {
  const parsed = readFolder(
    folderOf({
      ...companions,
      'agent-cards/card.md': '---\nname: card\nagents: [kid, 5]\nshell: 1\nmax_parallel: 4\n---\nHi',
    }),
  );
  expect(parsed.cards.find((card) => card.name === 'card')).toMatchObject({
    agents: ['kid'],
    shell: false,
    maxParallel: 4,
  });
});

test('every issue names its agent and says what to do', () => {
  const parsed = readFolder(folderOf({ 'a.md': '---\nname: lead\nagents: [ghost]\n---\n' }));
  expect(parsed.issues).toEqual([
    {
      code: 'missing-agent',
      severity: 'error',
      stage: 'validator',
      file: 'a.md',
      line: 3,
      column: 10,
      agent: 'lead',
      message: "'agents' names agent 'ghost', which does not exist. Add a card of that name, or correct the reference.",
    },
  ]);
});
