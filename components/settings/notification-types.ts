import type { NotificationState } from '@/lib/base/notification-info';

/** Reads and changes where notices go. Each function rejects with an Error whose message users may see. */
export interface NotificationServices {
  readonly read: () => Promise<NotificationState>;
  /** Returns the secret, which is not shown again. */
  readonly addWebhook: (url: string, project: string | undefined) => Promise<{ readonly secret: string }>;
  readonly addMail: (address: string, project: string | undefined, mayAnswer: boolean) => Promise<void>;
  readonly renewSecret: (id: string) => Promise<{ readonly secret: string }>;
  readonly remove: (id: string) => Promise<void>;
  readonly test: (id: string) => Promise<void>;
}
