import { createLog } from '@/lib/server/log';

/** The web process's own log. */
export const log = createLog('web');
