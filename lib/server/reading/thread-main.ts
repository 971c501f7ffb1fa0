import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@/lib/base/app-error';
import type { ReadingProgress } from '@/lib/cards/project/read-folder';
import { type ReadingJob, readingJobs } from './reading-jobs';
import type { ThreadAnswer, ThreadRequest } from './thread-pool';

/** The script of a reading thread, which ./thread-pool starts through ./thread-code. It uses no files and no network. */
const port = parentPort;
if (port === null) throw new Error('This file is the main of a worker thread.');
const place: Int32Array = workerData.place;

const progress: ReadingProgress = {
  file: (index) => void Atomics.store(place, 0, index),
  together: () => void Atomics.store(place, 0, -1),
};

const say = (answer: ThreadAnswer) => port.postMessage(answer);

port.on('message', async ({ id, job }: ThreadRequest & { readonly job: ReadingJob }) => {
  try {
    say({ id, value: await perform(job) });
  } catch (error) {
    if (error instanceof AppError) say({ id, refusal: { code: error.code, message: error.message } });
    else say({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
say({ ready: true });

function perform(job: ReadingJob): unknown {
  if (job.name === 'unzip') return readingJobs.unzip(job.input);
  if (job.name === 'unpack') return readingJobs.unpack(job.input);
  if (job.name === 'surface') return readingJobs.surface(job.input, progress);
  if (job.name === 'breaches') return readingJobs.breaches(job.input, progress);
  if (job.name === 'anchored') return readingJobs.anchored(job.input, progress);
  if (job.name === 'compareVersions') return readingJobs.compareVersions(job.input, progress);
  if (job.name === 'touched') return readingJobs.touched(job.input, progress);
  if (job.name === 'merge') return readingJobs.merge(job.input);
  if (job.name === 'follow') return readingJobs.follow(job.input, progress);
  if (job.name === 'lost') return readingJobs.lost(job.input);
  return readingJobs[job.name](job.input, progress);
}
