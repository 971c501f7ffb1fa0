// A worker process: executes runs of the database named by DATABASE_URL until it is told to stop.
await import('./typescript.mjs');
await import('../lib/server/worker-main.ts');
