import { parentPort } from 'node:worker_threads';
import { AppError } from '@/lib/base/app-error';
import type { ThreadAnswer, ThreadRequest } from '@/lib/server/reading/thread-pool';
import { type ImportJob, performImport } from './import-jobs';

/** The script of an import thread, which ./import-reader starts. It uses no files and no network. */
const port = parentPort;
if (port === null) throw new Error('This file is the main of a worker thread.');

const say = (answer: ThreadAnswer, buffers: readonly ArrayBuffer[] = []) => port.postMessage(answer, buffers);

port.on('message', ({ id, job }: ThreadRequest & { readonly job: ImportJob }) => {
  try {
    const value = performImport(job);
    say({ id, value }, [...new Set(buffersIn(value))]);
  } catch (error) {
    if (error instanceof AppError) say({ id, refusal: { code: error.code, message: error.message } });
    else say({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
say({ ready: true });

/** Finds the bytes of a result, which are handed over without a copy. */
function* buffersIn(value: unknown): Generator<ArrayBuffer> {
  if (value instanceof Uint8Array) {
    if (value.buffer instanceof ArrayBuffer) yield value.buffer;
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* buffersIn(part);
  }
}
