import { AppError } from '@/lib/base/app-error';
import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import { isRecord, type Json } from '@/lib/base/json';
import { eventFormat, newerRecord, readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { SavedResults } from '@/lib/runtime/sub-agents/pending-results';
import { writeFileSafely } from '@/lib/server/write-file-safely';
import { readText } from './read-text';

/** What `callboard call` keeps of a run between two calls. */
export interface CallState {
  readonly log: readonly RunEvent[];
  /** What `AgentRun.saved` returned. */
  readonly results: unknown;
}

/**
 * Reads a state file. A file that does not exist is the state of a run that has not begun. Throws AppError `conflict` with a
 * sentence for a file of a newer Callboard, and `bad_request` for one that is damaged or something else.
 */
export async function readCallState(file: string): Promise<CallState> {
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return { log: [], results: undefined };
  const state = parseExactJson(text);
  if (!isRecord(state) || typeof state.format !== 'number' || !Array.isArray(state.log)) {
    throw new AppError(
      'bad_request',
      `${file} is no state file of 'callboard call'. Name another file, or one that does not exist to begin a run.`,
    );
  }
  const { format, log: events } = state;
  if (format > eventFormat) throw new AppError('conflict', newerRecord(`The events in ${file}`, format, eventFormat));
  const log = events.map((event: Json, index) => {
    try {
      return readEventRecord(format, exactJson(event));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const which = `event ${index + 1} of ${events.length} cannot be read`;
      throw new AppError(
        'bad_request',
        `${file} is damaged: ${which}. Put a copy of the file in its place, or begin the run again with another file.`,
      );
    }
  });
  return { log, results: state.results };
}

/** Replaces the file as a whole (mode 0600), so that a reader or a crash never sees half of it. Throws the error of the file system. */
export function writeCallState(file: string, log: readonly RunEvent[], results: SavedResults): void {
  writeFileSafely(file, exactJson({ format: eventFormat, log, results }));
}
