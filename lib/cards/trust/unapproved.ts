import type { Command } from './command';

/** Says which commands wait for an administrator, and what to do. */
export function unapprovedSentence(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  const named = commands.slice(0, 3).map(nameOfCommand);
  const more = commands.length - named.length;
  const list = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  return `No administrator has approved ${list}, so nothing was started. Open the project, press Run and ask an administrator.`;
}

export function nameOfCommand({ kind, name }: Pick<Command, 'kind' | 'name'>): string {
  switch (kind) {
    case 'stdio':
      return `the command of server '${name}'`;
    case 'python':
      return `the Python of '${name}'`;
    case 'shell':
      return `the shell of agent '${name}'`;
  }
}
