// A worker process: executes runs of the database in DATABASE_URL until it gets a signal.
import { load } from './typescript.mjs';

await load('lib/server/worker-main.ts');
