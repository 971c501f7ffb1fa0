/**
 * The environment variables that projects may use: the names that the operator lists in CALLBOARD_PROJECT_ENV, with their
 * values. The value of a listed variable that is not set is `undefined`.
 */
export type ProjectEnv = Readonly<Record<string, string | undefined>>;

export const noProjectEnv: ProjectEnv = {};

/**
 * Names of keys and addresses of model providers: those in lib/cards/models/providers.json, and further ones with the same
 * prefixes.
 */
const providers =
  /^(?:OPENAI_|HF_TOKEN$|HF_BASE_URL$|AZURE_OPENAI_ENDPOINT$|(?:ALIYUN|ANTHROPIC|AZURE|AZURE_OPENAI|BEDROCK|CODEX|DEEPSEEK|GEMINI|GENERIC|GOOGLE|GROQ|META_AI|MISTRAL|MOONSHOT|OLLAMA|OPENRESPONSES|OPENROUTER|RESPONSES|TENSORZERO|XAI|ZAI)_(?:API_KEY|BASE_URL)$)/;

/** True for the key or the address of a model provider. Names are case-insensitive on Windows. */
export function isProviderVariable(name: string): boolean {
  return providers.test(name.toUpperCase());
}

/**
 * Says why a variable must not be listed in CALLBOARD_PROJECT_ENV, with the next step. Returns `undefined` when it may be
 * listed.
 */
export function whyNeverGiven(name: string): string | undefined {
  const upper = name.toUpperCase();
  if (isProviderVariable(name)) {
    return `${name} belongs to a model provider and goes to that provider alone. Give the server a key of its own under another name.`;
  }
  if (upper.startsWith('CALLBOARD_'))
    return `${name} is a setting of Callboard, which projects never get. Use another name.`;
  if (upper === 'DATABASE_URL' || upper === 'PGPASSWORD') {
    return `${name} opens Callboard's own database, which projects never get. Use another name.`;
  }
  return undefined;
}

/** Tells an operator how to give projects a variable that is not listed, in one or two sentences. */
export function howToList(name: string): string {
  return whyNeverGiven(name) ?? `Add ${name} to CALLBOARD_PROJECT_ENV and start again.`;
}

/** Tells how a server or a remote agent gets a variable, in one or two sentences. */
export function howToGive(name: string): string {
  return (
    whyNeverGiven(name) ?? `Set ${name} as a secret of the project, or add it to CALLBOARD_PROJECT_ENV and start again.`
  );
}

/** Splits a comma-separated list into names, with a sentence for each name that must not be listed. */
export function readVariableNames(list: string): {
  readonly names: readonly string[];
  readonly problems: readonly string[];
} {
  const names: string[] = [];
  const problems: string[] = [];
  for (const word of list.split(',')) {
    const name = word.trim();
    if (name === '') continue;
    const problem = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
      ? whyNeverGiven(name)
      : `'${name}' is not a variable name. Write names with commas between.`;
    if (problem === undefined) names.push(name);
    else problems.push(`CALLBOARD_PROJECT_ENV: ${problem}`);
  }
  return { names: [...new Set(names)], problems };
}

/** Picks the listed variables from an environment. An empty value counts as not set. */
export function pickProjectEnv(
  names: readonly string[],
  source: Readonly<Record<string, string | undefined>>,
): ProjectEnv {
  return Object.fromEntries(names.map((name) => [name, source[name] || undefined]));
}
