export const reviewStatuses = ['open', 'published', 'withdrawn'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

export const verdictKinds = ['approve', 'request_changes', 'withdrawn'] as const;
export type VerdictKind = (typeof verdictKinds)[number];
