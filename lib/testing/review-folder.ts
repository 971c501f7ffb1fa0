/** A project with something of everything that a review looks at. Tests change one thing of it. */
export const reviewFolder: Readonly<Record<string, string>> = {
  'README.md': '# Press office\n\nWrites and sends.\n',
  'rules.md': 'Be kind.\nBe short.\n',
  'extra.md': 'Never shout.\n',
  'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\nUse it for PDF files.\n',
  'skills/pdf/pages.md': 'One page at a time.\n',
  'agent-cards/lead.md': `---
name: lead
default: true
model: gpt-5
agents: [writer, critic]
servers: [files, web]
tools:
  files: ["read_file", "list_*"]
function_tools: ["../code/tools.py:add"]
tool_hooks:
  - ../code/hooks.py:redact
  - ../code/hooks.py:audit
request_params:
  temperature: 0.2
  max_iterations: 10
max_parallel: 4
skills: [skills/pdf]
---
You lead the press office.
{{file:rules.md}}
Ask the writer first.
Then ask the critic.
`,
  'agent-cards/writer.md':
    '---\nname: writer\nhuman_input: false\n---\nYou write press releases.\nKeep them short.\nName the source.\n',
  'agent-cards/critic.md':
    '---\nname: critic\nmodel: $models.strict\n---\nYou find mistakes.\nYou say where they are.\nYou are polite.\n',
  'agent-cards/mailer.md': `---
name: mailer
servers: [mail]
---
You send mails.
You never send twice.
You keep a list.
`,
  'agent-cards/flow.yaml': 'type: chain\nname: flow\nsequence: [writer, critic, mailer]\n',
  'agent-cards/judge.yaml':
    'type: evaluator_optimizer\nname: judge\ngenerator: writer\nevaluator: critic\nmin_rating: EXCELLENT\nmax_refinements: 3\n',
  'agent-cards/vote.yaml': 'type: MAKER\nname: vote\nworker: critic\nk: 3\nmax_samples: 20\n',
  'agent-cards/partner.yaml': 'type: a2a\nname: partner\nurl: https://partner.example/a2a\nheaders:\n  X-Team: press\n',
  'code/tools.py':
    'from helper import total\n\ndef add(a: int, b: int) -> int:\n    """Adds."""\n    return total(a, b)\n\ndef subtract(a: int, b: int) -> int:\n    """Subtracts."""\n    return a - b\n',
  'code/helper.py': 'def total(a, b):\n    return a + b\n',
  'code/hooks.py': `async def redact(ctx, args, next):
    result = await next(args)
    text = str(result)
    return text.replace("secret", "[redacted]")

async def audit(ctx, args, next):
    print(ctx.tool_name)
    return await next(args)

async def guard(ctx, args, next):
    return await next(args)
`,
  'code/servers/files.mjs': "import { list } from './list.mjs';\nlist();\n",
  'code/servers/list.mjs': 'export function list() {}\n',
  'fast-agent.yaml': `default_model: gpt-5-mini
model_references:
  models:
    strict: gpt-5
mcp:
  servers:
    files:
      command: node
      args: [code/servers/files.mjs]
      env:
        ROOT: /data
    web:
      url: https://web.example/mcp
      headers:
        X-Key: \${WEB_KEY}
    mail:
      url: https://mail.example/mcp
`,
  'callboard.yaml': `version: 1
limits:
  max_depth: 4
  max_cost_usd: 2
run_hooks:
  - truncate: {max_chars: 1000}
agent_hooks:
  mailer:
    - redact:
        keys: [password, token]
        when: {tool: [send_mail, send_all]}
    - clamp: {argument: limit, max: 10}
hooks:
  code/hooks.py:redact: {on_error: fail}
approvals:
  rules:
    - tools: [mail__send_mail]
      effect: ask
    - tools: [mail__delete]
      effect: deny
delegations:
  lead:
    writer:
      timeout_ms: 60000
      state: {down: none}
      output_schema: {type: object}
    critic:
      approval: ask
toolsets:
  lead:
    delegation: {allow_workers: [critic]}
tool_groups:
  lead:
    activation: false
    groups:
      rare: {active: false, tools: [files__list_old]}
canvas:
  positions:
    agent:lead: {x: 10, y: 20}
`,
};

/** The files of it that tests change most. */
export const lead = 'agent-cards/lead.md';
export const writer = 'agent-cards/writer.md';
export const config = 'fast-agent.yaml';
export const settings = 'callboard.yaml';
export const hooks = 'code/hooks.py';
export const mailer = 'agent-cards/mailer.md';
export const critic = 'agent-cards/critic.md';
