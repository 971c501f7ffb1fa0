// A worker process: executes runs of the database in DATABASE_URL until it gets a signal.
await import('./typescript.mjs');
await import('../lib/server/worker-main.ts');
