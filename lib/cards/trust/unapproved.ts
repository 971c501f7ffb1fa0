import type { Command } from './command';

/** Says which commands wait for an administrator, and what to do. */
export function unapprovedSentence(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  return `No administrator has approved ${listed(commands)}, so nothing was started. Ask an administrator with the button where you started it, or over the API.`;
}

/** Says the same of files that are to be published. */
export function unapprovedLive(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  return `No administrator has approved ${listed(commands)}, so every run would be refused. Ask an administrator first.`;
}

function listed(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  const named = commands.slice(0, 3).map(nameOfCommand);
  const more = commands.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
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
