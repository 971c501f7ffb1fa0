import type { Command } from './command';

/** Programs with the arguments that make them run code from the command line. */
const evaluators: readonly { readonly program: RegExp; readonly flag: RegExp }[] = [
  { program: /^(?:sh|bash|dash|zsh|ksh|fish|ash|busybox)$/, flag: /^-[a-z]*c[a-z]*$|^--command(?:=|$)/i },
  { program: /^(?:cmd)$/, flag: /^\/[ck]$/i },
  { program: /^(?:powershell|pwsh)$/, flag: /^[-/](?:c|e|command|encodedcommand|enc|ec)$/i },
  { program: /^(?:python|python\d[\d.]*|pypy\d?|pythonw)$/, flag: /^-[A-Za-z]*c/ },
  { program: /^(?:node|nodejs|bun|deno|tsx)$/, flag: /^(?:-[a-z]*[ep][a-z]*|--eval(?:=.*)?|--print(?:=.*)?|eval)$/ },
  { program: /^(?:perl)$/, flag: /^-[a-z]*e/i },
  { program: /^(?:ruby)$/, flag: /^-e/ },
  { program: /^(?:php)$/, flag: /^-[rBE]/ },
  { program: /^(?:npx|npm|pnpm|bunx|pnpx)$/, flag: /^(?:-c.*|--call(?:=.*)?|--shell-mode)$/ },
];
/** Programs that start the program among their arguments. */
const wrappers =
  /^(?:env|sudo|nice|nohup|timeout|xargs|command|exec|time|setsid|stdbuf|doas|busybox|uv|poetry|pipenv)$/;
const loaders =
  /^(?:NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|PATH|BASH_ENV|ENV|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|LD_.*|DYLD_.*|npm_config_.*|UV_.*|PIP_.*)$/i;

/** A variable whose value decides what starts. `by` set it; `undefined` if it is no secret, but a variable of the environment. */
export interface FilledBy {
  readonly name: string;
  readonly by: string | undefined;
}

/** Says what makes a command risky to approve, one sentence each. An empty list does not mean that it is safe. */
export function commandWarnings({
  kind,
  command,
  args,
  environment,
  filledBy,
}: Pick<Command, 'kind' | 'command' | 'args' | 'environment'> & {
  readonly filledBy: readonly FilledBy[];
}): readonly string[] {
  if (kind === 'shell') {
    return [
      'Its model may run any command. The commands are not known before, and whoever may run this project has a say in them.',
    ];
  }
  if (kind === 'python') return ['Python runs with the rights of the worker and may start other programs.'];
  const words = [command, ...args];
  const warnings: string[] = [];
  const evaluated = words.find((_, index) => isEvaluation(words, index));
  if (evaluated !== undefined) {
    warnings.push(`${programOf(evaluated)} runs code that is written in the arguments. Read each of them.`);
  }
  const unpinned = unpinnedPackage(words);
  if (unpinned !== undefined) {
    warnings.push(`${unpinned} has no exact version. What it loads may change without asking again.`);
  }
  for (const { name, by } of filledBy) {
    const setter = by === undefined ? 'which the operator sets' : `which ${by} has set`;
    warnings.push(`The value of ${name}, ${setter}, decides what starts. Another value of a secret asks again.`);
  }
  const loading = environment.filter((name) => loaders.test(name));
  if (loading.length > 0) warnings.push(`${loading.join(', ')} can make it load other code.`);
  return warnings;
}

/** True if the program at `index` starts first, or by a wrapper, and one of its arguments is code. */
function isEvaluation(words: readonly string[], index: number): boolean {
  if (index > 0 && !wrappers.test(programOf(words[0] ?? ''))) return false;
  const program = programOf(words[index] ?? '');
  const rule = evaluators.find((each) => each.program.test(program));
  return rule !== undefined && words.slice(index + 1).some((word) => rule.flag.test(word));
}

function unpinnedPackage(words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words;
  const program = programOf(first);
  const named = rest.filter((word) => !word.startsWith('-'));
  if (/^(?:npx|bunx|pnpx)$/.test(program)) return unpinnedNode(rest, named[0]);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program) && /^(?:exec|x|dlx)$/.test(named[0] ?? ''))
    return unpinnedNode(rest, named[1]);
  if (program === 'uvx') return unpinnedPython(rest, named[0]);
  if (program === 'uv' && named[0] === 'tool') return unpinnedPython(rest, named[2]);
  if (program === 'pipx') return unpinnedPython(rest, named[1]);
  if (/^(?:docker|podman)$/.test(program)) {
    return rest.some((word) => /@sha256:[0-9a-f]{64}$/.test(word)) ? undefined : `The image of ${program}`;
  }
  return undefined;
}

function unpinnedNode(rest: readonly string[], first: string | undefined): string | undefined {
  const name = flagValue(rest, /^(?:-p|--package)$/, /^--package=(.*)$/) ?? first;
  return name === undefined || /.@\d+\.\d+\.\d+[\w.+-]*$/.test(name) ? undefined : name;
}

function unpinnedPython(rest: readonly string[], first: string | undefined): string | undefined {
  const name = flagValue(rest, /^--(?:from|spec)$/, /^--(?:from|spec)=(.*)$/) ?? first;
  return name === undefined || /.(?:==|@)\d+(?:\.\d+)+[\w.+-]*$/.test(name) ? undefined : name;
}

function flagValue(words: readonly string[], flag: RegExp, joined: RegExp): string | undefined {
  const index = words.findIndex((word) => flag.test(word));
  if (index >= 0) return words[index + 1];
  return words.map((word) => joined.exec(word)?.[1]).find((value) => value !== undefined);
}

function programOf(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}
