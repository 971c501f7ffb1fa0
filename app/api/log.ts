import { createLog } from '@/lib/server/log';

/** The log of the web process. */
export const log = createLog('web');
