import { type Action, actions, type InstallationRight, type ProjectRight, type Role, roleFor } from './rights';

/** What somebody may do in a project, as pages get it: with whom to ask for more. */
export interface ProjectAccess {
  readonly rights: readonly ProjectRight[];
  /** Null for people who need no role: the one person of an installation without accounts, and administrators. */
  readonly role: Role | null;
  /** Whom to ask for a right. */
  readonly ask: string;
  /** False where one person works without accounts. */
  readonly accounts: boolean;
}

/** An action in a project for which a right there is enough. */
export type ProjectAction = {
  [A in Action]: (typeof actions)[A]['needs'] extends ProjectRight ? A : never;
}[Action];

/** Returns the sentence of the refusal that the server would give, or `undefined` if the action is allowed. */
export function whyNot({ rights, role, ask }: ProjectAccess, action: ProjectAction): string | undefined {
  const { needs, words } = actions[action];
  return rights.includes(needs) ? undefined : refusalWords(words, needs, role ?? undefined, ask);
}

/** Says what somebody may not do, what it needs, and whom to ask. `words` completes "You may not …". */
export function refusalWords(
  words: string,
  needs: ProjectRight | InstallationRight,
  role: Role | undefined,
  ask: string,
): string {
  const least = roleFor(needs);
  const need = least === undefined ? 'the right to answer questions' : `the role ${least}`;
  return `You may not ${words}. It needs ${need}, and yours is ${role ?? 'none'}. Ask ${ask}.`;
}

/** Names whom to ask: the admins of the project, or else the administrators. */
export function askWords(admins: readonly string[]): string {
  return admins.length === 0 ? 'an administrator of this installation' : admins.join(', ');
}
