/** A browser that is signed in, as its person sees it. Times are epoch milliseconds. */
export interface OwnSession {
  readonly id: string;
  /** Such as "Firefox on Linux". */
  readonly device: string;
  readonly address: string | null;
  readonly createdAt: number;
  readonly seenAt: number;
  /** True for the browser that asks. */
  readonly isThis: boolean;
}

export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly usedAt: number | null;
}

/** How a person gets in. */
export interface OwnAccount {
  readonly hasPassword: boolean;
  /** True if the provider of sign-ins has signed the person in. */
  readonly hasProvider: boolean;
  readonly sessions: readonly OwnSession[];
  readonly passkeys: readonly OwnPasskey[];
  /** How many backup codes are left; null while the second factor is off. */
  readonly backupCodesLeft: number | null;
  /** True if nothing else opens before the person has a second factor. */
  readonly mustAddSecondFactor: boolean;
  /** False at an IP address, for which browsers make no passkeys. */
  readonly canHavePasskeys: boolean;
}
