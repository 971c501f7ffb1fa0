/** A sign-in at an MCP server, without its tokens. Times are in milliseconds since 1970. */
export interface ShownSignIn {
  readonly id: string;
  readonly server: string;
  readonly address: string;
  /** The host at which the person signed in. */
  readonly provider: string;
  readonly by: string;
  readonly at: number;
  readonly expiresAt: number | null;
  readonly refreshedAt: number | null;
  readonly usedAt: number | null;
  /** Why somebody has to sign in again; null while it works. */
  readonly endedBecause: string | null;
}

/** Each rejects with an Error whose message users may see. */
export interface SignInServices {
  list(project: string): Promise<readonly ShownSignIn[]>;
  /** Returns where a person signs in: the host, and the address of this app that leads there. */
  begin(project: string, server: string): Promise<{ readonly host: string; readonly href: string }>;
  forget(project: string, signIn: string): Promise<readonly ShownSignIn[]>;
}
