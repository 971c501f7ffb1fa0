import type { ProjectId } from '@/lib/base/ids';
import { type Command, commandId } from '@/lib/cards/trust/command';
import type { FilledBy } from '@/lib/cards/trust/command-warnings';
import type { Store } from './database';
import { sealedSecretsOf, type UsableSecret } from './secrets';

/** A command of a project, with the id under which it is approved there for the present values of secrets. */
export interface BoundCommand {
  readonly id: string;
  readonly command: Command;
  /** The variables whose values decide what starts, and who has set them. */
  readonly filledBy: readonly FilledBy[];
}

/** Binds commands to a project and to the values of `secrets`, which a worker has read for a run. */
export function bindCommands(
  project: ProjectId,
  commands: readonly Command[],
  secrets: readonly Pick<UsableSecret, 'name' | 'version' | 'by'>[],
): readonly BoundCommand[] {
  // A project's own secret comes after one of the installation with its name, and replaces it.
  const byName = new Map(secrets.map((secret) => [secret.name, secret]));
  const versions = new Map([...byName].map(([name, { version }]) => [name, version]));
  return commands.map((command) => ({
    id: commandId(project, command, versions),
    command,
    filledBy: command.filledBy.map((name) => ({ name, by: byName.get(name)?.by })),
  }));
}

/** Binds commands to a project and to the values that its secrets have now. Commands are approved where people have accounts. */
export async function boundCommands(
  store: Store,
  project: ProjectId,
  commands: readonly Command[],
): Promise<readonly BoundCommand[]> {
  const isFilled = commands.some(({ filledBy }) => filledBy.length > 0);
  return bindCommands(project, commands, isFilled ? await sealedSecretsOf(store, project, { accounts: true }) : []);
}
