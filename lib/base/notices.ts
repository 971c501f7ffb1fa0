/*
 * What people are told of, beside questions: in the app, by mail and by webhooks. docs/notices.md explains it to users.
 */

/** What a person or a webhook can choose. `questions` are those of runs; in the app the inbox has them. */
export const noticeGroups = ['questions', 'reviews', 'published', 'runs', 'alerts', 'upkeep', 'commands'] as const;
export type NoticeGroup = (typeof noticeGroups)[number];

/** What the groups are called. */
export const groupNames: Readonly<Record<NoticeGroup, string>> = {
  questions: 'Questions',
  reviews: 'Reviews',
  published: 'Publications',
  runs: 'Runs',
  alerts: 'Alerts',
  upkeep: 'Triggers and mirrors',
  commands: 'Commands',
};

/** Each kind of notice with its group. */
export const noticeKinds = {
  /** A review was opened, and the person may decide. */
  'review.asked': 'reviews',
  'review.mentioned': 'reviews',
  /** Somebody commented on the person's review, or in a thread in which the person wrote. */
  'review.commented': 'reviews',
  /** Somebody approved, or asked for changes. */
  'review.decided': 'reviews',
  /** A new version ended the person's verdict. */
  'review.stale': 'reviews',
  /** Another revision is live. */
  'revision.live': 'published',
  'run.failed': 'runs',
  /** A run cost or took more than its project allows without a word. */
  'run.over': 'runs',
  /** A figure of many runs crossed its line. */
  'alert.raised': 'alerts',
  'alert.over': 'alerts',
  'trigger.off': 'upkeep',
  'mirror.failed': 'upkeep',
  /** Somebody asks for the approval of what a project starts, and the person may approve it. */
  'command.asked': 'commands',
  /** An administrator decided about what the person had asked for. */
  'command.decided': 'commands',
} as const satisfies Readonly<Record<string, NoticeGroup>>;
export type NoticeKind = keyof typeof noticeKinds;

/** The groups that a person chooses about, with what the settings page says of each. */
export const personGroups = [
  'reviews',
  'published',
  'runs',
  'alerts',
  'upkeep',
  'commands',
] as const satisfies readonly NoticeGroup[];
export type PersonGroup = (typeof personGroups)[number];

export interface NoticeChoice {
  readonly inApp: boolean;
  readonly mail: boolean;
}

/** How a person who chose nothing hears of a group. Mail needs a mail server. */
export const usualChoices: Readonly<Record<PersonGroup, NoticeChoice>> = {
  reviews: { inApp: true, mail: true },
  published: { inApp: true, mail: false },
  runs: { inApp: true, mail: false },
  alerts: { inApp: true, mail: true },
  upkeep: { inApp: true, mail: true },
  commands: { inApp: true, mail: true },
};

/** A notice as a person reads it. Times are epoch milliseconds. */
export interface NoticeInfo {
  readonly id: string;
  readonly kind: string;
  /** Absent if it is about every project. */
  readonly project?: string;
  readonly projectName?: string;
  readonly words: string;
  /** The path of a page of Callboard. */
  readonly href: string;
  readonly at: number;
  readonly isRead: boolean;
}

const longestWords = 300;

/** Cuts a sentence, so that a long name fits a list and a subject. */
export function noticeWords(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > longestWords ? `${characters.slice(0, longestWords).join('')}…` : characters.join('');
}
