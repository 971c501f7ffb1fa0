/** Where notices of questions are sent, as the settings page shows it. Times are epoch milliseconds. */
export interface NotificationState {
  readonly targets: readonly TargetInfo[];
  /** The server that sends mail; `undefined` without one, and then no mail address can be added. */
  readonly mailServer: { readonly host: string; readonly from: string } | undefined;
  /** Links that answer need it. */
  readonly publicUrl: string | undefined;
}

export interface TargetInfo {
  readonly id: string;
  readonly kind: 'webhook' | 'mail';
  /** Those of the environment cannot be changed here. */
  readonly source: 'settings' | 'environment';
  /** The project whose questions it gets; `undefined` for every project. */
  readonly projectName: string | undefined;
  /** The URL or mail address. Empty for a webhook of the environment. */
  readonly address: string;
  readonly mayAnswer: boolean;
  /** What it is told of, as in lib/base/notices.ts. */
  readonly groups: readonly string[];
  /** Newest first, at most five. */
  readonly notices: readonly NoticeInfo[];
}

export interface NoticeInfo {
  readonly id: string;
  readonly isTest: boolean;
  readonly state: 'sent' | 'waiting' | 'given up';
  readonly attempts: number;
  /** When it was sent, is tried next, or was made. */
  readonly at: number;
  /** Why the last attempt failed, or why it was not sent. */
  readonly error: string | undefined;
}
