import type { Bindings } from './places';

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
  return whyNeverGiven(name) ?? `Add ${name}@* to CALLBOARD_PROJECT_ENV and start again.`;
}

/**
 * Tells how a server or a remote agent gets a variable, in one or two sentences. The app shows a button beside each text that says it
 * (`secretToSet`).
 */
export function howToGive(name: string): string {
  return (
    whyNeverGiven(name) ??
    `Set ${name} as a secret of the project, or add it as NAME@HOST to CALLBOARD_PROJECT_ENV and start again.`
  );
}

const step = /\bSet (\w{1,100}) as a secret of the project/;

/** Returns the variable for which a text of `howToGive` asks, also inside a longer text. */
export function secretToSet(text: string): string | undefined {
  return step.exec(text)?.[1];
}

/** Stands for every place. Only an operator can say so. */
const anyPlace = '*';

/** A name of CALLBOARD_PROJECT_ENV, with the places to which its value may go. None: where people have accounts it goes nowhere. */
export interface ListedVariable {
  readonly name: string;
  readonly places: readonly string[];
}

/** Reads `NAME` and `NAME@PLACE`, with commas between, with a sentence for each that must not be listed. Places of one name add up. */
export function readListedVariables(list: string): {
  readonly listed: readonly ListedVariable[];
  readonly problems: readonly string[];
} {
  const places = new Map<string, string[]>();
  const problems: string[] = [];
  for (const word of list.split(',').map((each) => each.trim())) {
    if (word === '') continue;
    const [, name = '', place] = /^([^@]*)(?:@(.*))?$/s.exec(word) ?? [];
    const problem = whyNotListed(name, place);
    if (problem !== undefined) problems.push(`CALLBOARD_PROJECT_ENV: ${problem}`);
    else places.set(name, [...(places.get(name) ?? []), ...(place === undefined ? [] : [place])]);
  }
  return { listed: [...places].map(([name, of]) => ({ name, places: of })), problems };
}

function whyNotListed(name: string, place: string | undefined): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return `'${name}' is not a variable name. Write names with commas between.`;
  }
  const isPlace = place === undefined || place === anyPlace || /^[^\s@/*]+$/.test(place);
  return isPlace
    ? whyNeverGiven(name)
    : `'${place}' after ${name}@ is no place. Write a host such as api.example.com, server:NAME for a server that is started, or * for every place.`;
}

/** The values of listed variables. */
export interface GivenVariables {
  /** Those that go wherever a project names them. The value of one that is not set is `undefined`. */
  readonly projectEnv: ProjectEnv;
  /** Those that go to some places only: to servers, remote agents and providers, and never into texts. */
  readonly boundEnv: ProjectEnv;
  readonly bound: Bindings;
  /** Those without a place, which go nowhere where people have accounts. */
  readonly unplaced: readonly string[];
}

/** Tells an operator about listed variables that go nowhere. */
export function unplacedLine(names: readonly string[]): string {
  const [first = ''] = names;
  return `${names.join(', ')} of CALLBOARD_PROJECT_ENV ${names.length === 1 ? 'goes' : 'go'} nowhere, because everybody with an account could send ${names.length === 1 ? 'it' : 'them'} to an own address. Say where: ${first}@api.example.com, or ${first}@* for every address.`;
}

/** Picks the listed variables from an environment. An empty value counts as not set. */
export function pickProjectEnv(
  listed: readonly ListedVariable[],
  source: Readonly<Record<string, string | undefined>>,
  { accounts = false }: { readonly accounts?: boolean } = {},
): GivenVariables {
  const valuesOf = (some: readonly ListedVariable[]) =>
    Object.fromEntries(some.map(({ name }) => [name, source[name] || undefined]));
  const goesAnywhere = ({ places }: ListedVariable) => places.includes(anyPlace) || (places.length === 0 && !accounts);
  const bound = listed.filter((each) => !goesAnywhere(each) && each.places.length > 0);
  const unplaced = listed.filter((each) => !goesAnywhere(each) && each.places.length === 0);
  return {
    projectEnv: valuesOf(listed.filter(goesAnywhere)),
    boundEnv: valuesOf(bound),
    bound: new Map(bound.map(({ name, places }) => [name, places])),
    unplaced: unplaced.map(({ name }) => name),
  };
}
