export function startWatchdog(options: {
  readonly process: 'worker' | 'web';
  readonly seconds: number;
  readonly startSeconds?: number;
  readonly databaseUrl?: string;
}): void;
