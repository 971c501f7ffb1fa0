/** Programs that run a package which their arguments name. An argument that begins with `-` is an option. */
const runners = new Set(['npx', 'uvx', 'bunx', 'pipx', 'pnpx']);
/** Programs that read their input or print their help when nothing says what to run. */
const interpreters = new Set([
  ...['node', 'deno', 'bun', 'tsx', 'ts-node', 'python', 'python3', 'ruby', 'java', 'php', 'perl', 'sh', 'bash'],
  ...['npm', 'pnpm', 'yarn', 'uv', 'poetry', 'docker', 'podman', 'dotnet', 'go', 'cargo'],
]);

/**
 * Returns what the arguments of a command must name, if they name nothing: `npx` alone starts no server. Returns `undefined`
 * for arguments that may be complete, and for programs that are not known.
 */
export function lackingArgument(command: string, args: readonly string[]): string | undefined {
  const program = (command.trim().split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '');
  const given = args.filter((arg) => arg.trim() !== '');
  if (runners.has(program)) return given.some((arg) => !isOption(arg)) ? undefined : 'a package';
  return interpreters.has(program) && given.length === 0 ? 'what to run' : undefined;
}

/** `--package=name` is an option that names a package. */
function isOption(arg: string): boolean {
  return arg.startsWith('-') && !/^--(?:package|from)=./.test(arg);
}
