import type { NoticeGroup } from '@/lib/base/notices';
import type { NotificationState } from '@/lib/base/notification-info';

/** Reads and changes where notices go. Each function rejects with an Error whose message users may see. */
export interface NotificationServices {
  readonly read: () => Promise<NotificationState>;
  /** Returns the secret, which is not shown again. */
  readonly addWebhook: (url: string, of: TargetChoice) => Promise<{ readonly secret: string }>;
  readonly addMail: (address: string, of: TargetChoice, mayAnswer: boolean) => Promise<void>;
  readonly renewSecret: (id: string) => Promise<{ readonly secret: string }>;
  readonly remove: (id: string) => Promise<void>;
  readonly test: (id: string) => Promise<void>;
  readonly readLine: (project: string) => Promise<TellLine>;
  readonly setLine: (project: string, line: TellLine) => Promise<void>;
}

/** Of which project an address is told what. */
export interface TargetChoice {
  /** `undefined`: of every project. */
  readonly project: string | undefined;
  readonly groups: readonly NoticeGroup[];
}

/** People are told of runs that cost or took more: US dollars, seconds. */
export interface TellLine {
  readonly usd?: number | undefined;
  readonly seconds?: number | undefined;
}
