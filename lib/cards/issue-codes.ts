import type { Issue } from '@/lib/base/issue';

export interface IssueKind {
  readonly severity: Issue['severity'];
  readonly stage: Issue['stage'];
  readonly meaning: string;
  readonly next: string;
}

function kind(severity: Issue['severity'], stage: Issue['stage'], meaning: string, next: string): IssueKind {
  return { severity, stage, meaning, next };
}

/** Every issue reading a folder can give. `docs/issues.md` is this table (a test keeps them equal). */
export const issueCodes = {
  // Files
  'not-utf8': kind('error', 'loader', 'A card or YAML file is not valid UTF-8.', 'Save it as UTF-8.'),
  utf16: kind('error', 'loader', 'A card or YAML file is UTF-16.', 'Save it as UTF-8.'),
  'nul-characters': kind('error', 'loader', 'A card or YAML file contains NUL characters.', 'Save it as UTF-8 text.'),
  'card-too-large': kind('error', 'callboard', 'A card or YAML file is larger than 1 MB.', 'Move long text elsewhere.'),
  'file-too-large': kind('warning', 'callboard', 'A file is larger than 1 MB.', 'Check that it belongs here.'),
  'skill-beside-cards': kind('warning', 'loader', 'SKILL.md lies in a card folder.', 'Move it under skills/.'),
  'config-beside-cards': kind(
    'warning',
    'loader',
    'The config lies in a card folder.',
    'Move the cards to agent-cards/.',
  ),
  'config-twice': kind('error', 'builder', 'Two spellings of the config lie in one folder.', 'Keep one of them.'),
  'config-unused': kind(
    'warning',
    'callboard',
    'A second config in another folder is not read.',
    'Merge it or remove it.',
  ),
  'more-issues': kind('info', 'callboard', 'A file has more issues than are shown.', 'Mend some of them.'),
  'secrets-in-folder': kind(
    'warning',
    'callboard',
    'A secrets file is part of the project.',
    'Use environment variables.',
  ),
  'settings-misplaced': kind('warning', 'callboard', 'callboard.yaml is not at the top.', 'Move it to the top folder.'),
  'foreign-front-matter': kind('warning', 'loader', 'A document in a card folder is no card.', 'Move it elsewhere.'),
  'card-without-front-matter': kind(
    'warning',
    'callboard',
    'A file that should be a card is none.',
    'Begin it with --- lines, or remove it.',
  ),
  'toml-front-matter': kind('warning', 'loader', 'Front matter between +++ lines.', 'Write YAML between --- lines.'),
  // YAML
  'yaml-syntax': kind('error', 'loader', 'The YAML cannot be read.', 'Correct the marked place.'),
  'yaml-tag': kind('error', 'loader', 'A YAML tag that safe loading refuses.', 'Remove the tag.'),
  'yaml-key': kind('error', 'loader', 'A mapping used as a key.', 'Quote {{placeholders}}.'),
  'yaml-alias': kind('error', 'loader', 'An alias is unknown, circular or too big.', 'Write the value out.'),
  'yaml-too-deep': kind('error', 'callboard', 'The YAML is nested too deeply.', 'Flatten it.'),
  'yaml-not-mapping': kind('error', 'loader', 'A YAML card is not a mapping.', 'Write key: value lines.'),
  'duplicate-key': kind('warning', 'callboard', 'A key is given twice; the last one counts.', 'Remove one.'),
  'front-matter-not-mapping': kind('warning', 'callboard', 'Front matter is ignored.', 'Write key: value lines.'),
  'front-matter-not-closed': kind('error', 'callboard', 'The closing --- is missing.', 'Add a --- line.'),
  // Card fields
  'unknown-type': kind('error', 'loader', 'The type is none of the nine.', 'Use a known type.'),
  'smart-type': kind('warning', 'loader', 'type: smart is deprecated.', 'Use agent with subagents and harness_tools.'),
  'unknown-field': kind('error', 'loader', 'The card type has no such field.', 'Remove or rename it.'),
  'missing-field': kind('error', 'loader', 'A required field is missing.', 'Add it.'),
  'wrong-type': kind('error', 'loader', 'A field has a value of the wrong kind.', 'Write the kind it wants.'),
  'bad-name': kind('error', 'loader', 'The name is not a non-empty string.', 'Quote it or give one.'),
  'odd-name': kind('warning', 'callboard', 'The name has a character used in paths.', 'Rename the agent.'),
  'default-and-tool-only': kind('error', 'loader', 'default and tool_only exclude each other.', 'Remove one.'),
  'harness-and-tool-only': kind('error', 'loader', 'harness_tools needs tool_only off.', 'Remove one.'),
  'trajectory-needs-no-history': kind('error', 'loader', 'save_trajectory needs use_history: false.', 'Set it.'),
  'use-history-ignored': kind(
    'warning',
    'loader',
    'A use_history that is no boolean is ignored.',
    'Use true or false.',
  ),
  'instruction-twice': kind('error', 'loader', 'Instruction in body and in the field.', 'Keep one.'),
  'instruction-empty': kind('error', 'loader', 'The instruction is blank.', 'Write one or remove the field.'),
  'inline-history': kind('error', 'loader', 'A history block in the body.', 'Move it to a messages file.'),
  'bad-value': kind('error', 'builder', 'A value none of the allowed ones.', 'Use an allowed value.'),
  'out-of-range': kind('error', 'builder', 'A number outside its range.', 'Use a number in range.'),
  'plan-type-unknown': kind('warning', 'callboard', 'plan_type is neither full nor iterative.', 'Use one of them.'),
  'options-ignored': kind(
    'warning',
    'loader',
    'Delegation options without agents are dropped.',
    'Add agents or remove.',
  ),
  'history-messages-broken': kind(
    'warning',
    'builder',
    'history_source: messages fails upstream.',
    'Use another source.',
  ),
  'filter-without-server': kind('warning', 'callboard', 'A filter for a server not in servers.', 'Add the server.'),
  'request-params': kind('error', 'loader', 'request_params are refused.', 'Correct the value.'),
  'request-param-range': kind(
    'warning',
    'callboard',
    'A request parameter outside its range is ignored.',
    'Use a number in range.',
  ),
  'request-param-unknown': kind('warning', 'callboard', 'A request parameter that is ignored.', 'Remove it.'),
  'schema-invalid': kind('error', 'loader', 'tool_input_schema breaks a rule.', 'Correct the schema.'),
  'schema-unusable': kind('error', 'callboard', 'tool_input_schema is no JSON schema.', 'Correct the schema.'),
  'schema-description': kind('warning', 'validator', 'A required property has no description.', 'Add one.'),
  'mcp-connect': kind('error', 'loader', 'An mcp_connect entry breaks a rule.', 'Correct the entry.'),
  'mcp-connect-flags': kind('error', 'validator', 'A target has fast-agent flags in it.', 'Use the entry keys.'),
  'command-invalid': kind('error', 'loader', 'A command breaks a rule.', 'Correct the command.'),
  'function-tool-invalid': kind('error', 'loader', 'A function_tools entry breaks a rule.', 'Write file.py:function.'),
  'hook-list': kind('info', 'loader', 'tool_hooks as a list is Callboard’s form.', 'Export for fast-agent moves it.'),
  'hook-phase': kind('error', 'builder', 'An unknown hook phase.', 'Use one of the five.'),
  'lifecycle-phase': kind('error', 'loader', 'An unknown lifecycle phase.', 'Use on_start or on_shutdown.'),
  'hook-spec': kind('error', 'builder', 'A hook is not written as file.py:function.', 'Write it so.'),
  'model-invalid': kind('error', 'builder', 'The model string cannot be read.', 'Correct it.'),
  'model-reference': kind(
    'warning',
    'builder',
    'A $namespace.key leads nowhere or round.',
    'Add it to model_references.',
  ),
  // Between files
  'duplicate-name': kind('error', 'validator', 'Two cards have one name.', 'Rename one.'),
  'duplicate-child': kind('error', 'builder', 'A child is listed twice.', 'Remove one.'),
  'missing-agent': kind('error', 'validator', 'A card names an agent that does not exist.', 'Add or correct it.'),
  cycle: kind('error', 'validator', 'Agents depend on each other in a circle.', 'Remove an edge.'),
  'recursive-cycle': kind(
    'warning',
    'validator',
    'A circle of recursive delegations.',
    'Mind that fast-agent refuses it.',
  ),
  'child-not-agent': kind('warning', 'builder', 'A child that is a workflow or a remote agent.', 'Use type: agent.'),
  'delegation-depth': kind('warning', 'callboard', 'Children nest deeper than the limit.', 'Raise limits.max_depth.'),
  'tool-name-clash': kind('error', 'callboard', 'Two tools of an agent have one name.', 'Set tool_name.'),
  'tool-name-reserved': kind('error', 'callboard', 'A child has the name of a built-in tool.', 'Set tool_name.'),
  'many-tools': kind('warning', 'callboard', 'An agent has more than 40 tools.', 'Use tool groups or worker_call.'),
  'several-defaults': kind('warning', 'callboard', 'More than one card is the default.', 'Keep one.'),
  'unknown-server': kind('error', 'builder', 'A server that the config does not have.', 'Add it to mcp.servers.'),
  'history-missing': kind('error', 'loader', 'A history file does not exist.', 'Add it or correct the path.'),
  'history-invalid': kind('error', 'validator', 'A history file cannot be read.', 'Correct its JSON.'),
  'skills-ignored': kind('warning', 'callboard', 'skills that are no directories are ignored.', 'Name directories.'),
  'skill-missing': kind('warning', 'callboard', 'A directory of skills holds none.', 'Add a SKILL.md.'),
  'placeholder-file': kind(
    'warning',
    'validator',
    'A {{file:…}} that is absolute, missing or secret.',
    'Correct the path.',
  ),
  'function-file-missing': kind('error', 'validator', 'A function tool’s file does not exist.', 'Add the file.'),
  'function-missing': kind('error', 'validator', 'The file does not define the function.', 'Define it at top level.'),
  'function-not-def': kind(
    'warning',
    'validator',
    'A Python function tool that no def at top level defines: an import, an assignment, a def under if.',
    'Write a def for fast-agent’s check; it runs either way.',
  ),
  'hook-file-missing': kind('error', 'builder', 'A hook’s file does not exist.', 'Add the file.'),
  'hook-missing': kind('error', 'builder', 'The file does not define the hook.', 'Define it at top level.'),
  'hook-not-async': kind('error', 'builder', 'A Python hook is not async.', 'Write async def.'),
  'hook-signature': kind('error', 'callboard', 'A hook takes other parameters.', 'Take the ones it is given.'),
  'hook-not-exported': kind('error', 'callboard', 'A JavaScript hook is not exported.', 'Write export before it.'),
  'code-not-python': kind('info', 'validator', 'JavaScript code runs in Callboard only.', 'Use Python for fast-agent.'),
  'code-kind': kind('error', 'validator', 'Code that is neither Python nor JavaScript.', 'Use .py, .ts or .js.'),
  'code-outside': kind('error', 'callboard', 'A path leads out of the folder.', 'Move the file inside.'),
  // fast-agent.yaml
  'config-invalid': kind('error', 'builder', 'The config breaks a rule.', 'Correct the value.'),
  'server-url-and-command': kind('warning', 'builder', 'A server has url and command; url wins.', 'Remove one.'),
  'variable-not-listed': kind(
    'warning',
    'callboard',
    'A server asks for a variable that projects are not given here.',
    'Add it to CALLBOARD_PROJECT_ENV.',
  ),
  // callboard.yaml
  'settings-invalid': kind('error', 'callboard', 'callboard.yaml breaks its schema.', 'Correct the value.'),
  'settings-unknown-agent': kind(
    'warning',
    'callboard',
    'callboard.yaml names an unknown agent.',
    'Remove or rename it.',
  ),
  'settings-unused-delegation': kind(
    'warning',
    'callboard',
    'Options for an edge that is not there.',
    'Add the child or remove.',
  ),
  'delegation-schema': kind('error', 'callboard', 'A schema of a delegation breaks a rule.', 'Correct the schema.'),
  'schema-missing': kind('warning', 'callboard', 'Input mode schema without a schema.', 'Add input_schema.'),
  'skip-ignored': kind('warning', 'callboard', 'skip_summarization in an agent with a schema.', 'Remove one.'),
  'settings-unused-hook': kind(
    'warning',
    'callboard',
    'Hook settings that nothing uses.',
    'Correct the name or remove them.',
  ),
  'cache-ignored': kind(
    'warning',
    'callboard',
    'A delegation with a memory of its own is cached.',
    'Remove cache or the session.',
  ),
  'entry-unknown': kind('error', 'callboard', 'The entry agent does not exist.', 'Name an existing agent.'),
} as const satisfies Readonly<Record<string, IssueKind>>;

export type IssueCode = keyof typeof issueCodes;
