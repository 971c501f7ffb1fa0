import type { Role } from '@/lib/base/rights';

export interface ShownMember {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly answers: boolean;
  /** True if the person cannot sign in. */
  readonly isDeactivated: boolean;
}

export interface ShownInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: string | null;
  readonly answers: boolean;
  readonly invitedBy: string;
  readonly createdAt: number;
}

/** Changes who works on a project. Each resolves to a sentence that says why it failed, or to `undefined`. */
export interface MemberServices {
  /** Resolves to the path of the link, which is shown once. */
  invite(input: {
    readonly email: string;
    readonly role: Role;
    readonly answers: boolean;
  }): Promise<{ readonly link: string } | { readonly fault: string }>;
  change(userId: string, given: { readonly role: Role; readonly answers: boolean }): Promise<string | undefined>;
  remove(userId: string): Promise<string | undefined>;
  takeBack(invitation: string): Promise<string | undefined>;
}
