import { config, critic, hooks, lead, mailer, settings, writer } from './review-folder';

/** One edit: in `file`, the text `from` becomes `to`. Without `from` the whole file is written, and `null` removes it. */
export type Edit = readonly [file: string, to: string | null] | readonly [file: string, from: string, to: string];

/** Each change of a review, and everything that the summary says of it. */
export const changes: readonly (readonly [name: string, edits: readonly Edit[], sentences: readonly string[]])[] = [
  [
    'a tool in a filter',
    [[lead, '"read_file", ', '"read_file", "delete_file", ']],
    ["+ Agent 'lead' can now call the tool 'delete_file' of the server 'files'."],
  ],
  [
    'a tool that leaves a filter',
    [[lead, '"read_file", ', '']],
    ["- Agent 'lead' can no longer call the tool 'read_file' of the server 'files'."],
  ],
  [
    'a filter that is removed',
    [[lead, 'tools:\n  files: ["read_file", "list_*"]\n', '']],
    ["+ Agent 'lead' can now call every tool of the server 'files'. Before it was 'read_file' and 'list_*'."],
  ],
  [
    'a filter that is added',
    [[mailer, 'servers: [mail]', 'servers: [mail]\ntools: {mail: [send_mail]}']],
    ["- Agent 'mailer' can no longer call every tool of the server 'mail'. Now it is 'send_mail'."],
  ],
  [
    'a wildcard',
    [[lead, '"list_*"', '"*"']],
    ["+ Agent 'lead' can now call every tool of the server 'files'. Before it was 'read_file' and 'list_*'."],
  ],
  [
    'a filter of resources',
    [[mailer, 'servers: [mail]', 'servers: [mail]\nresources: {mail: ["inbox://*"]}']],
    ["- Agent 'mailer' can no longer read every resource of the server 'mail'. Now it is 'inbox://*'."],
  ],
  [
    'a server that an agent uses',
    [[writer, 'human_input: false', 'human_input: false\nservers: [web]']],
    ["+ Agent 'writer' can now call every tool of the server 'web'."],
  ],
  [
    'a new command',
    [
      [
        config,
        '    mail:',
        `    shell:\n      command: npx\n      args: [-y, "@acme/shell"]\n      env: {TOKEN: "\${ACME}"}\n    mail:`,
      ],
    ],
    [
      "+ The server 'shell' is new and starts the command 'npx -y @acme/shell', with TOKEN.",
      `+ The value of \${ACME} now goes to the server 'shell'.`,
    ],
  ],
  [
    'a server that is removed',
    [
      [config, '    mail:\n      url: https://mail.example/mcp\n', ''],
      [mailer, 'servers: [mail]\n', ''],
    ],
    [
      "- The server 'mail' is gone. It was called at https://mail.example/mcp.",
      "- Agent 'mailer' can no longer call every tool of the server 'mail'.",
    ],
  ],
  [
    'another argument of a command',
    [[config, 'files.mjs]', 'files.mjs, --write]']],
    [
      "~ The server 'files' now starts the command 'node code/servers/files.mjs --write' instead of 'node code/servers/files.mjs'.",
    ],
  ],
  [
    'another environment variable',
    [[config, 'ROOT: /data', 'ROOT: /data\n        DEBUG: "1"']],
    ["+ The server 'files' now gets the environment variable 'DEBUG'."],
  ],
  [
    'another value of a variable',
    [[config, 'ROOT: /data', 'ROOT: /']],
    ["~ The value of the environment variable 'ROOT' of the server 'files' is different."],
  ],
  [
    'another address',
    [[config, 'https://mail.example/mcp', 'https://other.example/mcp']],
    [
      "+ The host 'other.example' is new. It is called for the server 'mail'.",
      "~ The server 'mail' is now called at https://other.example/mcp instead of https://mail.example/mcp.",
      "- The host 'mail.example' is no longer called. It was called for the server 'mail'.",
    ],
  ],
  [
    'another path of an address',
    [[config, 'https://mail.example/mcp', 'https://mail.example/v2/mcp']],
    ["~ The server 'mail' is now called at https://mail.example/v2/mcp instead of https://mail.example/mcp."],
  ],
  [
    'a header',
    [[config, `X-Key: \${WEB_KEY}`, `X-Key: \${WEB_KEY}\n        X-User: \${USER_ID}`]],
    ["+ The server 'web' now gets the header 'X-User'.", `+ The value of \${USER_ID} now goes to the server 'web'.`],
  ],
  [
    'an address that becomes a command',
    [[config, 'url: https://mail.example/mcp', 'command: mail-server']],
    [
      "+ The server 'mail' now starts the command 'mail-server'. Before it was called at https://mail.example/mcp.",
      "- The host 'mail.example' is no longer called. It was called for the server 'mail'.",
    ],
  ],
  [
    'an access token',
    [[config, 'url: https://mail.example/mcp', `url: https://mail.example/mcp\n      access_token: \${MAIL}`]],
    ["+ The server 'mail' now gets an access token.", `+ The value of \${MAIL} now goes to the server 'mail'.`],
  ],
  [
    'a root',
    [[config, 'args: [code', 'roots: [{uri: "file:///home"}]\n      args: [code']],
    ["+ The server 'files' is now told of the folder file:///home."],
  ],
  [
    'sampling',
    [[settings, 'version: 1\n', 'version: 1\nmcp: {servers: {web: {sampling: allow}}}\n']],
    ["+ The server 'web' may now use a model without asking."],
  ],
  [
    'elicitation',
    [[settings, 'version: 1\n', 'version: 1\nmcp: {servers: {web: {elicitation: ask}}}\n']],
    ["+ The server 'web' may now ask people questions."],
  ],
  [
    'a function tool',
    [[lead, 'tools.py:add"]', 'tools.py:add", "../code/tools.py:subtract"]']],
    ["+ Agent 'lead' can now call the function 'subtract' of code/tools.py."],
  ],
  [
    'the code of a hook',
    [[hooks, '"[redacted]"', '"***"']],
    ["~ The code in 'code/hooks.py' is different. It is used by the hook 'redact' and the hook 'audit'."],
  ],
  [
    'code that a tool imports',
    [['code/helper.py', 'a + b', 'a - b']],
    ["~ The code in 'code/helper.py' is different. It is used by the tool 'add'."],
  ],
  [
    'a file of a server',
    [['code/servers/list.mjs', '{}', '{ return 1; }']],
    ["~ The file 'code/servers/list.mjs' is different. It may be loaded by the server 'files'."],
  ],
  [
    'a hook that is removed',
    [[lead, '  - ../code/hooks.py:redact\n', '']],
    ["+ Hook 'redact' no longer wraps the tool calls of agent 'lead'."],
  ],
  [
    'a hook that is switched off',
    [[settings, 'approvals:\n', 'hooks_off: {lead: {tool_hooks: ["../code/hooks.py:redact"]}}\napprovals:\n']],
    ["+ Hook 'redact' is switched off, and no longer wraps the tool calls of agent 'lead'."],
  ],
  [
    'a hook without code that is switched off',
    [
      [
        settings,
        '    - clamp: {argument: limit, max: 10}',
        '    - {clamp: {argument: limit, max: 99}, enabled: false}',
      ],
    ],
    ["+ Hook 'clamp' is switched off, and no longer wraps the tool calls of agent 'mailer'."],
  ],
  [
    'a run hook that is switched off',
    [[settings, '  - truncate: {max_chars: 1000}', '  - {truncate: {max_chars: 1000}, enabled: false}']],
    ["+ Hook 'truncate' is switched off, and no longer wraps the tool calls of every agent."],
  ],
  [
    'a hook that comes switched off',
    [
      [
        settings,
        '    - clamp: {argument: limit, max: 10}\n',
        '    - clamp: {argument: limit, max: 10}\n    - {cache: {}, enabled: false}\n',
      ],
    ],
    ["~ Hook 'cache' of agent 'mailer', which is switched off, is new. Runs are the same."],
  ],
  [
    'a hook that is added',
    [[lead, '  - ../code/hooks.py:audit\n', '  - ../code/hooks.py:audit\n  - ../code/hooks.py:guard\n']],
    ["- Hook 'guard' now wraps the tool calls of agent 'lead'."],
  ],
  [
    'hooks in another order',
    [
      [
        lead,
        '  - ../code/hooks.py:redact\n  - ../code/hooks.py:audit\n',
        '  - ../code/hooks.py:audit\n  - ../code/hooks.py:redact\n',
      ],
    ],
    ["~ Hook 'redact' of agent 'lead' now runs after 'audit', and no longer before it."],
  ],
  [
    'a hook for fewer tools',
    [[settings, '[send_mail, send_all]', '[send_all]']],
    ["+ Hook 'redact' no longer runs before 'send_mail' of agent 'mailer'."],
  ],
  [
    'a hook for named tools only',
    [[settings, '- clamp: {argument: limit, max: 10}', '- clamp: {argument: limit, max: 10, when: {tool: send_all}}']],
    ["+ Hook 'clamp' of agent 'mailer' now runs only before 'send_all', and no longer before every call."],
  ],
  [
    'a hook that may fail',
    [[settings, '{on_error: fail}', '{on_error: skip}']],
    ["+ When hook 'redact' fails, it is now skipped and the call runs without it."],
  ],
  [
    'a looser clamp',
    [[settings, 'max: 10}', 'max: 100}']],
    ["+ The highest value of hook 'clamp' of agent 'mailer' goes from 10 to 100."],
  ],
  [
    'a key that is not hidden any more',
    [[settings, '[password, token]', '[password]']],
    ["+ Hook 'redact' of agent 'mailer' no longer hides the key 'token'."],
  ],
  [
    'a run hook that is removed',
    [[settings, 'run_hooks:\n  - truncate: {max_chars: 1000}\n', '']],
    ["+ Hook 'truncate' no longer wraps the tool calls of every agent."],
  ],
  [
    'an approval that is removed',
    [[settings, '    - tools: [mail__send_mail]\n      effect: ask\n', '']],
    ["+ Calls of 'mail__send_mail' no longer ask for approval."],
  ],
  [
    'a call that is not refused any more',
    [[settings, 'effect: deny', 'effect: ask']],
    ["+ Calls of 'mail__delete' now ask for approval instead of being refused."],
  ],
  [
    'approvals without people',
    [[settings, 'approvals:\n', 'approvals:\n  mode: approve_all\n']],
    ['+ Calls that need an approval are now approved without asking anybody.'],
  ],
  [
    'a project that asks',
    [[settings, 'approvals:\n', 'approvals:\n  default: ask\n']],
    ['- Calls that no rule names now ask for approval.'],
  ],
  [
    'a delegation without approval',
    [[settings, '      approval: ask\n', '      max_attempts: 2\n']],
    [
      "+ Calls of agent 'critic' by agent 'lead' no longer ask for approval.",
      "+ The limit of attempts of calls of agent 'critic' by agent 'lead' goes from 1 to 2.",
    ],
  ],
  [
    'a higher limit of a project',
    [[settings, 'max_depth: 4', 'max_depth: 9']],
    ['+ The limit of nested agents goes from 4 to 9.'],
  ],
  [
    'a limit that is removed',
    [[settings, '  max_cost_usd: 2\n', '']],
    ['+ The limit of US dollars of a run is gone. It was 2.'],
  ],
  [
    'a higher limit of a card',
    [[lead, 'max_parallel: 4', 'max_parallel: 20']],
    ["+ The limit of parallel calls of agent 'lead' goes from 4 to 20."],
  ],
  [
    'more rounds',
    [[lead, 'max_iterations: 10', 'max_iterations: 50']],
    ["+ The limit of tool rounds of agent 'lead' goes from 10 to 50."],
  ],
  [
    'another model',
    [[critic, '$models.strict', 'claude-opus-4-5']],
    ["~ The model of agent 'critic' is now 'claude-opus-4-5', instead of 'gpt-5'."],
  ],
  [
    'another model behind a reference',
    [[config, 'strict: gpt-5', 'strict: gpt-5-nano']],
    ["~ The model of agent 'critic' is now 'gpt-5-nano', instead of 'gpt-5'."],
  ],
  [
    'another default model',
    [[config, 'default_model: gpt-5-mini', 'default_model: gpt-5-nano']],
    ["~ The default model is now 'gpt-5-nano', instead of 'gpt-5-mini'."],
  ],
  [
    'another address of a provider',
    [
      [
        config,
        'default_model: gpt-5-mini',
        'default_model: gpt-5-mini\nopenai: {base_url: "https://models.example/v1"}',
      ],
    ],
    [
      "+ The models of the provider 'openai' are now called at https://models.example/v1 instead of their usual address.",
    ],
  ],
  [
    'a request parameter',
    [[lead, 'temperature: 0.2', 'temperature: 1']],
    ["~ The request parameter 'temperature' of agent 'lead' is now 1 instead of 0.2."],
  ],
  ['a shell', [[writer, 'human_input: false', 'shell: true']], ["+ Agent 'writer' may now run shell commands."]],
  [
    'questions to people',
    [[writer, 'human_input: false', 'human_input: true']],
    ["+ Agent 'writer' may now ask the person who started the run."],
  ],
  [
    'a skill that an agent can read',
    [[writer, 'human_input: false', 'skills: [skills/pdf]']],
    ["+ Agent 'writer' can now read the skill 'pdf'."],
  ],
  [
    'the text of a skill',
    [['skills/pdf/pages.md', 'One page', 'Two pages']],
    ["~ The file 'skills/pdf/pages.md' is different. It belongs to the skill 'pdf'."],
  ],
  [
    'an address in a prompt',
    [[writer, 'Name the source.', 'Name the source. {{url:https://style.example/guide}}']],
    [
      "+ The host 'style.example' is new. It is called for the prompt of agent 'writer'.",
      "+ The prompt of agent 'writer' now includes the address https://style.example/guide.",
      "~ The instruction of agent 'writer' is different.",
    ],
  ],
  [
    'a file in a prompt',
    [[writer, 'Name the source.', 'Name the source. {{file:extra.md}}']],
    [
      "+ The prompt of agent 'writer' now includes the file 'extra.md'.",
      "~ The instruction of agent 'writer' is different.",
    ],
  ],
  [
    'the text of a file in a prompt',
    [['rules.md', 'Be kind.', 'Be rude.']],
    ["~ The text of 'rules.md' is different. It is part of the prompt of agent 'lead'."],
  ],
  [
    'a directive in a prompt',
    [[writer, 'Name the source.', '<!-- fast-agent-subagents -->']],
    [
      "+ The prompt of agent 'writer' now carries the directive 'fast-agent-subagents' of fast-agent.",
      "~ The instruction of agent 'writer' is different.",
    ],
  ],
  [
    'a delegation',
    [[writer, 'human_input: false', 'agents: [mailer]']],
    ["+ Agent 'writer' can now delegate to agent 'mailer'."],
  ],
  [
    'a time limit of a delegation',
    [[settings, 'timeout_ms: 60000', 'timeout_ms: 600000']],
    ["+ The time limit of calls of agent 'writer' by agent 'lead' goes from 60000 ms to 600000 ms."],
  ],
  [
    'state that goes down',
    [[settings, 'state: {down: none}', 'state: {down: filtered}']],
    ["+ Agent 'writer' now gets all public keys of the state of agent 'lead'."],
  ],
  [
    'an answer that is not checked any more',
    [[settings, '      output_schema: {type: object}\n', '']],
    ["+ The answers of calls of agent 'writer' by agent 'lead' are no longer checked against a schema."],
  ],
  [
    'a worker',
    [[settings, 'allow_workers: [critic]', 'allow_workers: [critic, mailer]']],
    ["+ Agent 'lead' may now call agent 'mailer' by its name."],
  ],
  [
    'workers that are created',
    [[settings, 'allow_workers: [critic]', 'allow_workers: [critic], create: allowed']],
    ["+ Agent 'lead' may now create agents during a run."],
  ],
  [
    'a group that is not hidden any more',
    [[settings, 'active: false', 'active: true']],
    ["+ The tool group 'rare' no longer hides 'files__list_old' from agent 'lead'."],
  ],
  [
    'built-in tools',
    [[settings, 'version: 1\n', 'version: 1\nruntime_tools: {files: true}\n']],
    ['+ Every agent may now read the files of the project.'],
  ],
  [
    'a tool that people answer',
    [[settings, 'version: 1\n', 'version: 1\nexternal_tools: {budget: {description: Asks., agents: [lead]}}\n']],
    ["+ Agent 'lead' can now call the tool 'budget', whose result a person gives."],
  ],
  [
    'a remote agent elsewhere',
    [['agent-cards/partner.yaml', 'partner.example', 'rival.example']],
    [
      "+ The host 'rival.example' is new. It is called for the remote agent 'partner'.",
      "~ The remote agent 'partner' is now called at https://rival.example/a2a instead of https://partner.example/a2a.",
      "- The host 'partner.example' is no longer called. It was called for the remote agent 'partner'.",
    ],
  ],
  [
    'another rating',
    [['agent-cards/judge.yaml', 'EXCELLENT', 'FAIR']],
    ["+ Workflow 'judge' now accepts the rating FAIR instead of EXCELLENT."],
  ],
  [
    'more refinements',
    [['agent-cards/judge.yaml', 'max_refinements: 3', 'max_refinements: 9']],
    ["+ The limit of refinements of 'judge' goes from 3 to 9."],
  ],
  [
    'fewer votes',
    [['agent-cards/vote.yaml', 'k: 3', 'k: 1']],
    ["+ Workflow 'vote' now decides with a lead of 1 instead of 3."],
  ],
  [
    'steps in another order',
    [['agent-cards/flow.yaml', '[writer, critic, mailer]', '[mailer, critic, writer]']],
    ["~ The steps of workflow 'flow' are now in the order 'mailer', 'critic' and 'writer'."],
  ],
  [
    'another entry',
    [[settings, 'version: 1\n', 'version: 1\nentry: writer\n']],
    ["~ Runs now begin at agent 'writer' instead of 'lead'."],
  ],
  [
    'a renamed agent',
    [
      [writer, 'name: writer', 'name: author'],
      [lead, '[writer, critic]', '[author, critic]'],
      ['agent-cards/flow.yaml', '[writer', '[author'],
      ['agent-cards/judge.yaml', 'generator: writer', 'generator: author'],
      [settings, '    writer:', '    author:'],
    ],
    ["~ Agent 'writer' is renamed to 'author'."],
  ],
  [
    'a renamed server',
    [
      [config, '    mail:', '    post:'],
      [mailer, '[mail]', '[post]'],
      [settings, '[mail__send_mail]', '[post__send_mail]'],
      [settings, '[mail__delete]', '[post__delete]'],
    ],
    ["~ The server 'mail' is renamed to 'post'."],
  ],
  [
    'a renamed server that the rules do not follow',
    [
      [config, '    mail:', '    post:'],
      [mailer, '[mail]', '[post]'],
    ],
    [
      "+ Calls of 'post__delete' are no longer refused.",
      "+ Calls of 'post__send_mail' no longer ask for approval.",
      "~ The server 'mail' is renamed to 'post'.",
      "- Calls of 'mail__delete' are now refused.",
      "- Calls of 'mail__send_mail' now ask for approval.",
    ],
  ],
  [
    'a renamed hook',
    [
      [hooks, 'def redact', 'def hide'],
      [lead, 'hooks.py:redact', 'hooks.py:hide'],
      [settings, 'hooks.py:redact', 'hooks.py:hide'],
    ],
    ["~ The function 'redact' of code/hooks.py is renamed to 'hide'."],
  ],
  [
    'a new agent',
    [['agent-cards/spy.md', '---\nname: spy\nservers: [web]\n---\nYou look.\n']],
    ["+ Agent 'spy' can now call every tool of the server 'web'.", "+ Agent 'spy' is new."],
  ],
  [
    'an agent that is gone',
    [['agent-cards/vote.yaml', null]],
    ["- Workflow 'vote' no longer runs agent 'critic'.", "- Agent 'vote' is gone."],
  ],
];
