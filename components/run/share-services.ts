/** A link that shows a run. Times are in epoch milliseconds. */
export interface ShownShareLink {
  readonly id: string;
  /** How its token begins. */
  readonly prefix: string;
  readonly texts: boolean;
  readonly by: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly opens: number;
  readonly openedAt: number | null;
}

/** What the dialog *Share* does. Each rejects with an Error whose message users may see. */
export interface ShareServices {
  list(): Promise<readonly ShownShareLink[]>;
  /** Returns the token of a new link, for the only time. */
  make(choice: {
    readonly hours: number;
    readonly texts: boolean;
  }): Promise<{ readonly token: string; readonly links: readonly ShownShareLink[] }>;
  revoke(id: string): Promise<readonly ShownShareLink[]>;
}
