import { describe, expect, it } from 'vitest';
import { printOf } from '@/lib/base/known-servers';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { reviewFolder } from '@/lib/testing/review-folder';
import { capabilityChanges, type Listed } from './capability-changes';
import type { ReadProject } from './project-side';

type Files = Readonly<Record<string, string>>;
/** One edit: in `file`, the text `from` becomes `to`. Without `from` the whole file is written, and `null` removes it. */
type Edit = readonly [file: string, to: string | null] | readonly [file: string, from: string, to: string];

function edited(files: Files, edits: readonly Edit[]): Files {
  const next: Record<string, string> = { ...files };
  for (const [file, from, to] of edits) {
    if (to === undefined) {
      if (from === null) delete next[file];
      else next[file] = from;
      continue;
    }
    const text = next[file] ?? '';
    if (from === null || !text.includes(from)) throw new Error(`${file} has no ${from}`);
    next[file] = text.replace(from, to);
  }
  return next;
}

function projectOf(files: Files): ReadProject {
  const folder = folderOf(files);
  return { folder, parsed: readFolder(folder) };
}

const base = projectOf(reviewFolder);

function summary(edits: readonly Edit[], listed?: Listed): string[] {
  const changes = capabilityChanges(base, projectOf(edited(reviewFolder, edits)), listed);
  return changes.map(({ weight, sentence }) => `${signs[weight]} ${sentence}`);
}

const listedSame = (tools: Listed['before']): Listed => ({ before: tools, after: tools });

const signs = { more: '+', 'same-but-different': '~', less: '-' };

const lead = 'agent-cards/lead.md';
const writer = 'agent-cards/writer.md';
const config = 'fast-agent.yaml';
const settings = 'callboard.yaml';
const hooks = 'code/hooks.py';
const mailer = 'agent-cards/mailer.md';
const critic = 'agent-cards/critic.md';

/** Each change of a review, and everything that the summary says of it. */
const changes: readonly (readonly [name: string, edits: readonly Edit[], sentences: readonly string[]])[] = [
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
    ["~ The code in 'code/helper.py' is different. It is used by the tool 'add' and the server 'files'."],
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
    ],
  ],
  [
    'a file in a prompt',
    [[writer, 'Name the source.', 'Name the source. {{file:extra.md}}']],
    ["+ The prompt of agent 'writer' now includes the file 'extra.md'."],
  ],
  [
    'the text of a file in a prompt',
    [['rules.md', 'Be kind.', 'Be rude.']],
    ["~ The text of 'rules.md' is different. It is part of the prompt of agent 'lead'."],
  ],
  [
    'a directive in a prompt',
    [[writer, 'Name the source.', '<!-- fast-agent-subagents -->']],
    ["+ The prompt of agent 'writer' now carries the directive 'fast-agent-subagents' of fast-agent."],
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

/** Changes of form. */
const harmless: readonly (readonly [name: string, edits: readonly Edit[]])[] = [
  ['nothing', []],
  ['another README', [['README.md', 'Writes', 'Reads']]],
  ['a new picture', [['images/logo.svg', '<svg/>']]],
  ['another layout of the canvas', [[settings, '{x: 10, y: 20}', '{x: 99, y: 1}']]],
  [
    'a note on the canvas',
    [[settings, 'canvas:\n', 'canvas:\n  notes: [{id: n1, text: Look here, x: 0, y: 0, width: 100, height: 50}]\n']],
  ],
  ['a comment in a card', [[lead, 'default: true', '# The boss.\ndefault: true']]],
  ['a comment in the settings', [[settings, 'limits:', '# Careful.\nlimits:']]],
  ['keys in another order', [[lead, 'default: true\nmodel: gpt-5\n', 'model: gpt-5\ndefault: true\n']]],
  [
    'servers in another order',
    [
      [config, '    mail:\n      url: https://mail.example/mcp\n', ''],
      [config, '  servers:\n', '  servers:\n    mail:\n      url: https://mail.example/mcp\n'],
    ],
  ],
  ['other quotes', [[lead, '["read_file", "list_*"]', "['read_file', 'list_*']"]]],
  ['a list in block style', [[lead, 'agents: [writer, critic]', 'agents:\n  - writer\n  - critic']]],
  ['a mapping in block style', [[settings, 'state: {down: none}', 'state:\n        down: none']]],
  ['patterns in another order', [[lead, '["read_file", "list_*"]', '["list_*", "read_file"]']]],
  ['a name that a pattern takes already', [[lead, '"list_*"]', '"list_*", "list_all"]']]],
  ['children in another order', [[lead, '[writer, critic]', '[critic, writer]']]],
  [
    'defaults that are written out',
    [[writer, 'human_input: false', 'human_input: false\nshell: false\nuse_history: true\nagents: []']],
  ],
  [
    'default limits that are written out',
    [[settings, 'max_depth: 4', 'max_depth: 4\n  max_parallel: 128\n  max_iterations: 100']],
  ],
  ['a default model that is written out', [[writer, 'human_input: false', 'human_input: false\nmodel: gpt-5-mini']]],
  [
    'default options of a delegation that are written out',
    [[settings, 'timeout_ms: 60000', 'timeout_ms: 60000\n      isolation: clone\n      session: none']],
  ],
  [
    'a default approval that is written out',
    [[settings, 'approvals:\n', 'approvals:\n  default: allow\n  mode: ask\n']],
  ],
  [
    'rules in another order',
    [
      [
        settings,
        '    - tools: [mail__send_mail]\n      effect: ask\n    - tools: [mail__delete]\n      effect: deny\n',
        '    - tools: [mail__delete]\n      effect: deny\n    - tools: [mail__send_mail]\n      effect: ask\n',
      ],
    ],
  ],
  [
    'a card in another folder',
    [
      [critic, null],
      [
        'agent-cards/more/critic.md',
        '---\nname: critic\nmodel: $models.strict\n---\nYou find mistakes.\nYou say where they are.\nYou are polite.\n',
      ],
    ],
  ],
  ['an anchor of YAML', [[lead, 'agents: [writer', 'agents: &kids [writer']]],
  ['the words of a prompt', [[writer, 'Keep them short.', 'Keep them very short.']]],
  ['an example message', [[settings, 'version: 1\n', 'version: 1\nexample_message: Write about the river.\n']]],
];

/** The old name stands in rules, so the way back is no renaming: the rules would count again. */
const oneWay = 'a renamed server that the rules do not follow';

describe('the capability summary', () => {
  it.each(changes)('reports %s', (_, edits, sentences) => {
    expect(summary(edits)).toEqual(sentences);
  });

  it('has test cases for each kind of change', () => {
    expect([changes.length >= 60, harmless.length >= 20]).toEqual([true, true]);
  });

  it('is empty after all lines end in CRLF', () => {
    const files = Object.entries(reviewFolder).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]);
    expect(capabilityChanges(base, projectOf(Object.fromEntries(files)))).toEqual([]);
  });

  it.each(harmless)('is empty after %s', (_, edits) => {
    expect(summary(edits)).toEqual([]);
  });

  it.each(changes.filter(([name]) => name !== oneWay))('gives %s the opposite weight when it is undone', (_, edits) => {
    const after = projectOf(edited(reviewFolder, edits));
    const count = (from: ReadProject, to: ReadProject) => {
      const found = capabilityChanges(from, to).map(({ weight }) => weight);
      return (['more', 'same-but-different', 'less'] as const).map(
        (weight) => found.filter((one) => one === weight).length,
      );
    };
    expect(count(after, base)).toEqual(count(base, after).toReversed());
  });

  /** What a server lists. `list_a reads` declares that it only reads; `list_a#2` has another description than `list_a`. */
  const prints = (...tools: readonly string[]) =>
    Object.fromEntries(
      tools.map((tool) => {
        const [, name = '', hash = '1', mark = ''] = /^(\w+)#?(\w+)?( reads)?$/.exec(tool) ?? [];
        return [name, printOf(hash, mark !== '')];
      }),
    );
  const files = prints('read_file reads', 'list_a', 'delete_file');

  it.each<readonly [name: string, edits: readonly Edit[], listed: Listed, sentences: readonly string[]]>([
    [
      'the tools that a pattern takes, and which of them may write',
      [[lead, '"list_*"', '"list_*", "delete_*"']],
      listedSame({ files: prints('read_file', 'list_all', 'list_old', 'delete_file', 'delete_all reads') }),
      [
        "+ Agent 'lead' can now call the tool 'delete_all' of the server 'files'. It declares that it only reads.",
        "+ Agent 'lead' can now call the tool 'delete_file' of the server 'files'. It may write.",
      ],
    ],
    [
      'a tool that leaves a filter',
      [[lead, '"read_file", ', '']],
      listedSame({ files }),
      ["- Agent 'lead' can no longer call the tool 'read_file' of the server 'files'."],
    ],
    [
      'a filter that is removed',
      [[lead, 'tools:\n  files: ["read_file", "list_*"]\n', '']],
      listedSame({ files }),
      [
        "+ Agent 'lead' can now call every tool of the server 'files'. Before it was 'read_file' and 'list_*'. Of the tools that it lists, 'list_a' and 'delete_file' may write.",
      ],
    ],
    [
      'a server that only reads',
      [[mailer, 'servers: [mail]', 'servers: [mail, files]']],
      listedSame({ files: prints('read_file reads') }),
      [
        "+ Agent 'mailer' can now call every tool of the server 'files'. All tools that it lists declare that they only read.",
      ],
    ],
    [
      'tools that a server lists since',
      [],
      {
        before: { mail: prints('send_mail'), files: prints('list_a') },
        after: { mail: prints('send_mail', 'send_all', 'look reads'), files: prints('list_a', 'list_b') },
      },
      [
        "+ Agent 'lead' can now call the tool 'list_b' of the server 'files'. It may write.",
        "+ Agent 'mailer' can now call the tool 'look' of the server 'mail', which the server lists since. It declares that it only reads.",
        "+ Agent 'mailer' can now call the tool 'send_all' of the server 'mail', which the server lists since. It may write.",
      ],
    ],
    [
      'a tool that no longer declares that it only reads',
      [],
      { before: { files }, after: { files: prints('read_file', 'list_a', 'delete_file') } },
      [
        "+ The tool 'read_file' of the server 'files' may now write. It no longer declares that it only reads. Agent 'lead' can call it.",
      ],
    ],
    [
      'a tool that now declares that it only reads',
      [],
      { before: { files }, after: { files: prints('read_file reads', 'list_a reads', 'delete_file reads') } },
      ["- The tool 'list_a' of the server 'files' now declares that it only reads. Agent 'lead' can call it."],
    ],
    [
      'a tool that is described differently, if an agent can call it',
      [],
      { before: { files }, after: { files: prints('read_file#2 reads', 'list_a', 'delete_file#2') } },
      [
        "~ The description or the arguments of the tool 'read_file' of the server 'files' are different. Agent 'lead' can call it.",
      ],
    ],
    ['nothing for a list that only one side knows', [], { after: { files } }, []],
    [
      'what a server lists since under its old name',
      [
        [config, '    mail:', '    post:'],
        [mailer, 'servers: [mail]', 'servers: [post]'],
        [settings, 'mail__send_mail', 'post__send_mail'],
        [settings, 'mail__delete', 'post__delete'],
      ],
      { before: { mail: prints('send_mail') }, after: { post: prints('send_mail', 'send_all') } },
      [
        "+ Agent 'mailer' can now call the tool 'send_all' of the server 'post', which the server lists since. It may write.",
        "~ The server 'mail' is renamed to 'post'.",
      ],
    ],
  ])('reports, with the tools that servers list, %s', (_name, edits, listed, sentences) => {
    expect(summary(edits, listed)).toEqual(sentences);
  });

  it('points at the line of a new part, and at the old line of a removed part', () => {
    const anchorOf = (edits: readonly Edit[]) =>
      capabilityChanges(base, projectOf(edited(reviewFolder, edits)))[0]?.anchor;
    expect(anchorOf([[settings, 'max_depth: 4', 'max_depth: 9']])).toEqual({ side: 'after', file: settings, line: 3 });
    expect(anchorOf([[settings, 'run_hooks:\n  - truncate: {max_chars: 1000}\n', '']])).toEqual({
      side: 'before',
      file: settings,
      line: 6,
    });
    expect(anchorOf([[lead, 'max_parallel: 4', 'max_parallel: 20']])).toEqual({
      side: 'after',
      file: lead,
      line: 16,
      node: 'agent:lead',
    });
  });

  it('shows no value of a variable, a header or a key', () => {
    const secret = 'hunter2-hunter2';
    const after = edited(reviewFolder, [
      [config, 'ROOT: /data', `ROOT: ${secret}`],
      [config, `X-Key: \${WEB_KEY}`, `X-Key: ${secret}\n        X-More: ${secret}`],
      [
        config,
        'url: https://mail.example/mcp',
        `url: https://me:${secret}@mail.example/mcp?key=${secret}\n      access_token: ${secret}`,
      ],
      [
        config,
        'default_model: gpt-5-mini',
        `default_model: gpt-5-mini\nopenai: {api_key: ${secret}, base_url: "https://x:${secret}@models.example/v1?key=${secret}"}`,
      ],
      [writer, 'human_input: false', `api_key: ${secret}`],
      ['agent-cards/partner.yaml', 'X-Team: press', `X-Team: ${secret}`],
    ]);
    for (const [from, to] of [
      [reviewFolder, after],
      [after, reviewFolder],
    ] as const) {
      const found = capabilityChanges(projectOf(from), projectOf(to));
      expect(found.length).toBeGreaterThan(5);
      expect(JSON.stringify(found)).not.toContain(secret);
    }
  });

  it('says what every part of a new project can do, and nothing of an empty one', () => {
    const empty = projectOf({});
    expect(capabilityChanges(empty, empty)).toEqual([]);
    const weights = capabilityChanges(empty, base).map(({ weight }) => weight);
    expect(weights.indexOf('less')).toBeGreaterThan(weights.lastIndexOf('more'));
  });
});
