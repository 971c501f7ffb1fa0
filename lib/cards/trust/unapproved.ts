import type { Command } from './command';

/** Says which commands wait for an administrator, and what to do. */
export function unapprovedSentence(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  return `No administrator has approved ${commandsInWords(commands)}, so nothing was started. Who may run the project asks an administrator: with Run in its editor, with Run again on the page of a refused run, or over the API.`;
}

/** Says the same of files that are to be published. */
export function unapprovedLive(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  return `No administrator has approved ${commandsInWords(commands)}, so every run would be refused. Ask an administrator first.`;
}

/** Names the first three and counts the others. */
export function commandsInWords(commands: readonly Pick<Command, 'kind' | 'name'>[]): string {
  const named = commands.slice(0, 3).map(nameOfCommand);
  const more = commands.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

function nameOfCommand({ kind, name }: Pick<Command, 'kind' | 'name'>): string {
  switch (kind) {
    case 'stdio':
      return `the command of server '${name}'`;
    case 'python':
      return `the Python of '${name}'`;
    case 'shell':
      return `the shell of agent '${name}'`;
  }
}
