import type { Capability, CapabilityChange, ModelUse } from '@/lib/cards/trust/capability';
import type { Command } from '@/lib/cards/trust/command';

/** With `own` nothing is ever asked. With `nothing` there is nothing to confirm. docs/trust.md explains the states. */
export type TrustState = 'own' | 'nothing' | 'confirmed' | 'unconfirmed';

export interface TrustItem extends Capability {
  /** The difference to the list that was confirmed last. */
  readonly change: CapabilityChange;
}

/** A command of the project (docs/commands.md). `new`: nobody has asked for it yet. */
export interface TrustCommand extends Pick<Command, 'kind' | 'name' | 'command' | 'args' | 'environment' | 'usedBy'> {
  readonly id: string;
  readonly status: 'new' | 'asked' | 'approved' | 'denied' | 'revoked';
  /** What the administrator wrote. */
  readonly note: string;
  /** Who asked or decided last. */
  readonly by?: string | undefined;
  readonly warnings: readonly string[];
}

/** Returns the commands that no administrator has approved. */
export function waitingCommands({ commands }: Pick<ProjectTrust, 'commands'>): readonly TrustCommand[] {
  return commands.filter(({ status }) => status !== 'approved');
}

/** What runs of the saved project would start or call. */
export interface ProjectTrust {
  readonly state: TrustState;
  readonly hash: string;
  readonly items: readonly TrustItem[];
  readonly models: readonly ModelUse[];
  /** What needs the approval of an administrator; empty without accounts. */
  readonly commands: readonly TrustCommand[];
  /** True if this person may approve commands. */
  readonly mayApprove: boolean;
  /** The ISO time of the last confirmation of any list. */
  readonly confirmedAt?: string | undefined;
}
