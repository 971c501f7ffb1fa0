/*
 * The keys of `.claude/settings.json`. Source: code.claude.com/docs/en/settings, *Available settings*. Keys of the terminal, such as
 * `statusLine`, and unknown keys have no effect here and no reason of their own.
 */

/** Keys with an effect here, and `hooks`, which has its own note. */
export const settingsThatWork: ReadonlySet<string> = new Set([
  '$schema',
  'permissions',
  'disabledMcpjsonServers',
  'hooks',
]);

const plugins = 'plugins are not read. Copy their agents into .claude/agents.';
const everyServer = 'each server of .mcp.json is one of the project, and its command needs approval.';
const team = 'the policy of a team says who may use which server.';
const thinking = "how long a model thinks is part of its name here, such as 'sonnet?reasoning=high'.";

export const settingsWithoutEffect: Readonly<Record<string, string>> = {
  model: "the default model here is 'default_model' in fast-agent.yaml.",
  env: 'variables are given to a project in its settings, and not in a file.',
  enabledMcpjsonServers: everyServer,
  enableAllProjectMcpServers: everyServer,
  allowedMcpServers: team,
  deniedMcpServers: team,
  enabledPlugins: plugins,
  extraKnownMarketplaces: plugins,
  disableAllHooks: 'the hooks of these settings do not run in any case.',
  agent: 'a run begins at the main agent. Choose another when you start it.',
  sandbox: 'the worker decides how a shell is fenced.',
  outputStyle: 'write how the main agent answers into CLAUDE.md.',
  effortLevel: thinking,
  alwaysThinkingEnabled: thinking,
};

const approvals = "'approvals' in callboard.yaml says who is asked before a tool runs.";

/** Keys inside `permissions` without an effect, and why. */
export const permissionsWithoutEffect: Readonly<Record<string, string>> = {
  allow: approvals,
  ask: approvals,
  defaultMode: approvals,
  disableBypassPermissionsMode: approvals,
  additionalDirectories: 'A run has the files of the project alone.',
};
