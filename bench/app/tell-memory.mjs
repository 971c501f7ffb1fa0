// Is loaded into the web process and the workers. On SIGUSR2 it collects garbage and writes the memory in use to a file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.CALLBOARD_BENCH_MEMORY;
if (isMainThread && folder !== undefined && /bin\/(web|worker)\.mjs$/.test(process.argv[1] ?? '')) {
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  process.on('SIGUSR2', () => {
    gc();
    gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    writeFileSync(join(folder, String(process.pid)), JSON.stringify({ held: heapUsed + external, rss }));
  });
}
