/** A placeholder of instructions, as it is written between `{{` and `}}`. */
export interface Placeholder {
  readonly name: string;
  /** What it becomes, in a few words. */
  readonly becomes: string;
}

/** Placeholders that the runtime fills in (`resolveInstruction`). */
export const filledPlaceholders: readonly Placeholder[] = [
  { name: 'currentDate', becomes: 'The date, such as 17 December 2025' },
  { name: 'agentName', becomes: 'The name of this agent' },
  { name: 'agentType', becomes: 'The type of its card' },
  { name: 'agentSkills', becomes: 'The skills that it can read' },
  { name: 'serverInstructions', becomes: 'What its MCP servers say about themselves' },
  { name: 'env', becomes: 'Where it runs, with the number of files' },
  { name: 'workspaceRoot', becomes: 'The project’s folder, which is “.”' },
  { name: 'hostPlatform', becomes: '“Callboard sandbox”' },
  { name: 'pythonVer', becomes: 'The version of Python' },
  { name: 'model_specific', becomes: 'Nothing here; fast-agent has a text for some models' },
];

/** Placeholders that take an argument after a colon. */
export const includingPlaceholders: readonly Placeholder[] = [
  { name: 'file', becomes: 'The text of a file, which must exist' },
  { name: 'file_silent', becomes: 'The text of a file, or nothing without it' },
  { name: 'url', becomes: 'The text at an address, read when a run starts' },
];

/** Placeholders that fast-agent fills in and Callboard does not. The source is its resources/shared/agent_cards.md. */
export const foreignPlaceholders: readonly string[] = [
  ...['clientDisplay', 'agentCardPath', 'agentCardDir', 'executionEnvironment', 'executionEnvironmentName'],
  ...[
    'executionEnvironmentKind',
    'executionEnvironmentProvider',
    'executionEnvironmentShell',
    'executionEnvironmentCwd',
  ],
  ...['modelReferences', 'agentInternalResources'],
];
