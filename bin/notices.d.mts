export function writeNotices(root: string): void;
